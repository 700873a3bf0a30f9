const { escape, say } = window.controlllm;
const holder = element.querySelector('.clm');
holder.classList.add('cutter');
const at = (name) => holder.querySelector(`.cutter-${name}`);
const PAGE = Math.random().toString(36).slice(2);
// So much quiet around a word, in seconds, is taken along where it is there.
const MARGIN = 0.03;

let file = null; // { value, type, address }
let [seconds, stopAt] = [0, null];
let ends = { start: 0, end: 0 };
let words = []; // { text, start, end }
let [first, last] = [0, 0]; // the words that are chosen, from which to which
let listening = null; // what is asked for the words, as long as it is
const look = (wanted) => server.look({ handle: props.value.handle, page: PAGE, value: file.value, ...wanted })
  .catch(() => null).then((answer) => answer || { error: say('errors.no_answer') });
const player = () => at('player').firstElementChild;
const list = () => holder.querySelector('.spoken-words');
const tell = (said) => { at('says').textContent = said; };
const clock = (time) => {
  const [minutes, rest] = [Math.floor(Math.round(time * 10) / 600), Math.round(time * 10) % 600];
  return `${minutes}:${String(Math.floor(rest / 10)).padStart(2, '0')}${rest % 10 ? `.${rest % 10}` : ''}`;
};

const open = async ({ value, transcript }) => {
  forgetWords();
  player()?.pause();
  const mine = file = { value };
  seconds = 0;
  at('loudness').firstElementChild.setAttribute('d', '');
  at('wave').dataset.pieces = 0;
  at('now').style.left = 0;
  stopAt = null;
  tell('');
  const found = await look({ do: 'recording' });
  if (file !== mine) return;
  if (found.error) return tell(found.error);
  Object.assign(file, found);
  const media = document.createElement(file.type);
  media.controls = true;
  media.src = file.address;
  media.setAttribute('aria-label', value);
  media.addEventListener('timeupdate', now);
  media.addEventListener('loadedmetadata', () => { if (!seconds) setLength(media.duration); });
  at('player').replaceChildren(media);
  at('frame').hidden = file.type !== 'video';
  at('handle.is-start').focus();
  if (transcript) findWords(transcript);
  const said = await look({ do: 'loudness' });
  if (file !== mine) return;
  if (said.error) return tell(said.error);
  const loudest = Math.max(0.05, ...said.peaks.map(([low, high]) => Math.max(-low, high))) * 1.05;
  at('loudness').setAttribute('viewBox', `0 -1 ${Math.max(1, said.peaks.length)} 2`);
  // Quiet pieces are a line of their own, so that silence is seen, too.
  at('loudness').firstElementChild.setAttribute('d', said.peaks.map(([low, high], place) =>
    `M${place} ${-Math.max(high / loudest, 0.008)}h.8V${-Math.min(low / loudest, -0.008)}h-.8z`).join(''));
  at('wave').dataset.pieces = said.peaks.length;
  setLength(said.seconds);
  if (!said.peaks.length) tell(say('pointing.no_sound'));
};

const setLength = (length) => {
  if (!Number.isFinite(length) || !length) return;
  const isOld = seconds || list().dataset.chosen;
  ends = { start: isOld ? ends.start : 0, end: isOld ? Math.min(ends.end, length) : length };
  seconds = length;
  draw();
};
const timeAt = (event) => {
  const box = at('wave').getBoundingClientRect();
  return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * seconds;
};
const moveTo = (which, time) => {
  if (!seconds) return;
  const least = Math.min(0.1, seconds / 2);
  const rounded = Math.round(time * 20) / 20;
  if (which === 'start') ends.start = Math.max(0, Math.min(rounded, ends.end - least));
  else ends.end = Math.min(seconds, Math.max(rounded, ends.start + least));
  player().currentTime = ends[which];
  draw();
};
const pressed = (event, which) => {
  const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
  const to = step ? ends[which] + step * (event.shiftKey ? 1 : 0.1) : { Home: 0, End: seconds }[event.key];
  if (to !== undefined) moveTo(which, to);
  else if (event.key === ' ') play();
  else return;
  event.preventDefault();
};

const play = () => {
  const media = player();
  if (!media.paused) return media.pause();
  media.currentTime = ends.start;
  stopAt = ends.end;
  return media.play().catch(() => {});
};
const now = () => {
  const media = player();
  if (!media || !seconds) return;
  at('now').style.left = `${(media.currentTime / seconds) * 100}%`;
  if (stopAt === null || media.currentTime < stopAt) return;
  media.pause();
  stopAt = null;
};

const draw = () => {
  const [from, to] = [ends.start, ends.end].map((time) => (time / seconds) * 100);
  at('part').style.left = `${from}%`;
  at('part').style.width = `${to - from}%`;
  for (const which of ['start', 'end']) {
    const handle = at(`handle.is-${which}`);
    handle.style.left = `${which === 'start' ? from : to}%`;
    const told = { valuemin: 0, valuemax: seconds.toFixed(1), valuenow: ends[which].toFixed(1), valuetext: clock(ends[which]) };
    for (const [name, value] of Object.entries(told)) handle.setAttribute(`aria-${name}`, value);
  }
  words.forEach(({ start, end }, place) => {
    const middle = (start + end) / 2;
    list().children[place].setAttribute('aria-selected', String(middle >= ends.start && middle <= ends.end));
  });
  tell(say('pointing.part_says', { from: clock(ends.start), to: clock(ends.end), seconds: (ends.end - ends.start).toFixed(1) }));
};

const keep = async (what) => {
  const { value: of } = file;
  holder.setAttribute('aria-busy', 'true');
  at('use').disabled = at('frame').disabled = true;
  const added = await look(what);
  at('use').disabled = at('frame').disabled = false;
  holder.removeAttribute('aria-busy');
  if (added.error) return tell(added.error);
  trigger('act', { do: 'use-pointed', value: added.value, of, handle: props.value.handle });
  return holder.closest('dialog').close();
};

// The words: one, or those from one to another, are the part that is meant.
const drawSpoken = (share = 1) => {
  holder.classList.toggle('has-words', Boolean(listening) || words.length > 0);
  holder.querySelector('.spoken-share').hidden = !listening;
  holder.querySelector('.spoken-share').value = share;
  // In tens, so that who hears the page is not told every piece.
  holder.querySelector('.spoken-says').textContent = listening
    ? say('pointing.listening', { share: Math.floor(share * 10) * 10 }) : say('pointing.words_help');
  at('words').textContent = say(listening ? 'pointing.stop_listening' : 'pointing.show_words');
  at('words').hidden = !listening && words.length > 0;
};
const forgetWords = () => {
  if (listening) look({ do: 'stop-listening' });
  listening = null;
  words = [];
  list().replaceChildren();
  delete list().dataset.chosen;
  drawSpoken(0);
};
const findWords = async (transcript = '') => {
  forgetWords();
  const mine = listening = {};
  const before = document.activeElement;
  drawSpoken(0);
  let said = null;
  do {
    said = await look({ do: 'spoken-words', transcript });
    if (listening !== mine) return;
    drawSpoken(said.share);
  } while (said.share !== undefined);
  listening = null;
  words = (said.words || []).map(([text, start, end]) => ({ text, start, end }));
  list().innerHTML = words.map(({ text }, place) => `<li role="option" id="spoken-${place}"
    data-place="${place}" aria-selected="false">${escape(text)}</li>`).join(' ');
  drawSpoken();
  if (said.error) tell(said.error);
  // The keyboard goes on in the words, unless it is used elsewhere by then.
  else if ([before, document.body].includes(document.activeElement)) {
    list().focus();
    take(0, 0);
  }
};
const take = (from, to) => {
  [first, last] = [from, to];
  list().dataset.chosen = 'true';
  const [low, high] = from < to ? [from, to] : [to, from];
  const [{ start }, { end }] = [words[low], words[high]];
  const room = (quiet) => Math.min(MARGIN, Math.max(0, quiet) / 2);
  ends = {
    start: Math.max(0, start - room(start - (words[low - 1]?.end ?? 0))),
    end: Math.min(seconds || Infinity, end + room((words[high + 1]?.start ?? Infinity) - end)),
  };
  player().currentTime = ends.start;
  draw();
  list().setAttribute('aria-activedescendant', `spoken-${to}`);
  list().children[to].scrollIntoView({ block: 'nearest' });
};
const placeOf = (target) => Number(target?.closest?.('.spoken-words [data-place]')?.dataset.place ?? -1);

const start = () => {
  for (const which of ['start', 'end']) {
    const handle = at(`handle.is-${which}`);
    handle.addEventListener('keydown', (event) => pressed(event, which));
    handle.addEventListener('pointerdown', (event) => {
      handle.setPointerCapture(event.pointerId);
      handle.focus();
      event.preventDefault();
    });
    handle.addEventListener('pointermove', (event) => {
      if (handle.hasPointerCapture(event.pointerId)) moveTo(which, timeAt(event));
    });
  }
  // A press beside the handles brings the nearer one there.
  at('loudness').addEventListener('pointerdown', (event) => {
    const time = timeAt(event);
    moveTo(Math.abs(time - ends.start) < Math.abs(time - ends.end) ? 'start' : 'end', time);
  });
  at('play').addEventListener('click', play);
  at('use').addEventListener('click', () => keep({ do: 'parts', ...ends }));
  at('frame').addEventListener('click', () => keep({ do: 'frames', at: player().currentTime }));
  at('words').addEventListener('click', () => (listening ? forgetWords() : findWords()));
  list().addEventListener('pointerdown', (event) => {
    const place = placeOf(event.target);
    if (place < 0 || event.button) return;
    event.preventDefault();
    list().focus();
    // Fingers have no Shift: a second word ends what the first began.
    const isTouch = event.pointerType !== 'mouse';
    const goesOn = event.shiftKey || (isTouch && list().dataset.chosen && first === last && place > last);
    take(goesOn ? first : place, place);
    if (!isTouch) list().setPointerCapture(event.pointerId);
  });
  list().addEventListener('pointermove', (event) => {
    if (!list().hasPointerCapture(event.pointerId)) return;
    const place = placeOf(document.elementFromPoint(event.clientX, event.clientY));
    if (place >= 0 && place !== last) take(first, place);
  });
  list().addEventListener('keydown', (event) => {
    const back = getComputedStyle(list()).direction === 'rtl' ? 1 : -1;
    const step = { ArrowLeft: back, ArrowRight: -back, ArrowUp: -1, ArrowDown: 1 }[event.key];
    const to = step ? last + step : { Home: 0, End: words.length - 1 }[event.key];
    if (to !== undefined) {
      const place = Math.max(0, Math.min(words.length - 1, to));
      take(event.shiftKey ? first : place, place);
    } else if (event.key === ' ') play();
    else if (event.key === 'Enter') at('use').click();
    else return;
    event.preventDefault();
  });
  holder.closest('dialog').addEventListener('close', () => {
    forgetWords();
    player()?.pause();
    at('player').replaceChildren();
    file = null;
  });
};

watch('value', () => {
  if (!props.value.parts.length || !props.value.value) return;
  if (!holder.firstElementChild) {
    holder.innerHTML = props.value.parts.join('');
    start();
  }
  open(props.value);
});
