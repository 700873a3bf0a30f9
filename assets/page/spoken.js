// The words of a recording in the cutter: a word, or those from one to another, are the part meant.
import { failed } from './notices.js';
import { listen, own } from './server.js';
import { escape, find } from './state.js';
import { say } from './texts.js';

// So much quiet around a word, in seconds, is taken along where it is there.
const MARGIN = 0.03;

let words = [];
let first = 0;
let last = 0;
let listening = null;
let onChoose = () => {};

export function startSpoken(choose, { play, use }) {
  onChoose = choose;
  const list = find('spoken-words');
  list.addEventListener('pointerdown', (event) => {
    const at = placeOf(event.target);
    if (at < 0 || event.button) return;
    event.preventDefault();
    // Fingers have no Shift: a second word ends what the first began.
    const isTouch = event.pointerType !== 'mouse';
    const goesOn = event.shiftKey || (isTouch && list.dataset.chosen && first === last && at > last);
    take(goesOn ? first : at, at);
    if (!isTouch) list.setPointerCapture(event.pointerId);
  });
  list.addEventListener('pointermove', (event) => {
    if (!list.hasPointerCapture(event.pointerId)) return;
    const at = placeOf(document.elementFromPoint(event.clientX, event.clientY));
    if (at >= 0 && at !== last) take(first, at);
  });
  list.addEventListener('keydown', (event) => {
    const back = getComputedStyle(list).direction === 'rtl' ? 1 : -1;
    const step = { ArrowLeft: back, ArrowRight: -back, ArrowUp: -1, ArrowDown: 1 }[event.key];
    const to = step ? last + step : { Home: 0, End: words.length - 1 }[event.key];
    if (to !== undefined) {
      const at = Math.max(0, Math.min(words.length - 1, to));
      take(event.shiftKey ? first : at, at);
    } else if (event.key === ' ') play();
    else if (event.key === 'Enter') use();
    else return;
    event.preventDefault();
  });
}

const placeOf = (target) => Number(target?.closest?.('#spoken-words [data-place]')?.dataset.place ?? -1);

export const isListening = () => Boolean(listening);

// Forgets the words of the recording before, and stops listening to it.
export function forgetWords() {
  listening?.abort();
  listening = null;
  words = [];
  find('spoken').hidden = true;
  find('spoken-words').replaceChildren();
  drawButton();
}

// Finds the words of a recording; those of a transcript of it, where one is named.
export async function findWords(value, transcript, isFocused) {
  forgetWords();
  const mine = listening = new AbortController();
  drawButton();
  show(0);
  let failure = null;
  try {
    await listen(own('spoken-words'), { value, transcript }, mine.signal, (said) => {
      if (listening !== mine) return;
      if (said.failed) failure = new Error(said.failed);
      else if (said.words) words = said.words.map(([text, start, end]) => ({ text, start, end }));
      else if ('share' in said) show(said.share);
    });
  } catch (error) {
    failure = error;
  }
  if (listening !== mine) return;
  listening = null;
  drawButton();
  if (failure) {
    find('spoken').hidden = true;
    failed(failure);
  } else draw(isFocused);
}

function show(share) {
  find('spoken').hidden = false;
  find('spoken-words').hidden = true;
  // In tens, so that who hears the page is not told every piece.
  find('spoken-says').textContent = say('pointing.listening', { share: Math.floor(share * 10) * 10 });
  find('spoken-share').hidden = false;
  find('spoken-share').value = share;
}

function drawButton() {
  find('cutter-words').textContent = say(listening ? 'pointing.stop_listening' : 'pointing.show_words');
  find('cutter-words').hidden = !listening && words.length > 0;
}

function draw(isFocused) {
  const list = find('spoken-words');
  list.innerHTML = words.map(({ text }, place) => `<li role="option" id="spoken-${place}"
    data-place="${place}" aria-selected="false">${escape(text)}</li>`).join(' ');
  delete list.dataset.chosen;
  list.hidden = false;
  find('spoken-share').hidden = true;
  find('spoken-says').textContent = say('pointing.words_help');
  if (isFocused()) {
    list.focus();
    take(0, 0);
  }
}

function take(from, to) {
  [first, last] = [from, to];
  const list = find('spoken-words');
  list.dataset.chosen = 'true';
  const [low, high] = from < to ? [from, to] : [to, from];
  const before = words[low - 1]?.end ?? 0;
  const after = words[high + 1]?.start ?? Infinity;
  const { start } = words[low];
  const { end } = words[high];
  onChoose({
    start: Math.max(0, start - Math.min(MARGIN, Math.max(0, start - before) / 2)),
    end: end + Math.min(MARGIN, Math.max(0, after - end) / 2),
  });
  list.setAttribute('aria-activedescendant', `spoken-${to}`);
  list.children[to].scrollIntoView({ block: 'nearest' });
}

// Shows which words lie in the part between two times.
export function markWords({ start, end }) {
  const options = find('spoken-words').children;
  words.forEach((word, place) => {
    const middle = (word.start + word.end) / 2;
    options[place].setAttribute('aria-selected', String(middle >= start && middle <= end));
  });
}
