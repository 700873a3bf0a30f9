// Two ways compared: a slider over two pictures, two players in step, which two, which to keep; and
// what a way would do, shown while somebody points at it.
import { on } from './actions.js';
import { refresh } from './conversation.js';
import { announce, failed, toast } from './notices.js';
import { goOn, goOnWith } from './run.js';
import { call, own } from './server.js';
import { find, state } from './state.js';
import { say } from './texts.js';

const POINTED_AT_FOR = 250; // milliseconds before a way is previewed
const APART = 0.08; // seconds that two players may drift apart before one is moved

on({
  'show-ways': showWays,
  'try-way': tryWay,
  'keep-way': keepWay,
  'take-back': takeBack,
  'end-comparison': (button) => pair(button, { left: 0, right: 0 }),
  'play-both': playBoth,
  'forget-choices': forgetChoices,
});

// From below an answer to the ways it could have been done, with the folds between opened.
function showWays({ dataset }) {
  const turn = find('turns').querySelector(`[data-key="turn-${dataset.turn}"]`);
  const wanted = turn.querySelector('[data-do=try-way]') || turn.querySelector('.way [data-do=switch]');
  for (let fold = wanted?.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
  wanted?.closest('.way').scrollIntoView({ block: 'center' });
  wanted?.focus({ preventScroll: true });
}

export function startComparing(app) {
  app.addEventListener('input', slid);
  app.addEventListener('pointerdown', grabbed);
  app.addEventListener('change', changed);
  // What players tell does not rise to those around them.
  for (const told of ['timeupdate', 'ended', 'loadedmetadata', 'seeked']) {
    app.addEventListener(told, (event) => inStep(event.target), true);
  }
  startPreviews(app);
}

function numbers(button) {
  const { turn, subtask, solution } = button.dataset;
  return { turn: Number(turn), subtask: Number(subtask), solution: Number(solution) };
}

const panelOf = ({ turn, subtask }) =>
  find('turns').querySelector(`[data-key="turn-${turn}"] [data-key="comparison-${subtask}"]`);

function tryWay(button) {
  const wanted = numbers(button);
  if (!goOn(button, 'try', 'subtask', 'solution')) return;
  const { run } = state;
  let isThere = false;
  // It is brought into view when it comes, and when the result makes it larger.
  const look = new MutationObserver(() => {
    const panel = panelOf(wanted);
    const isOver = state.run !== run;
    if (isOver) look.disconnect();
    if (!panel || (isThere && !isOver)) return;
    if (!isThere) panel.focus({ preventScroll: true });
    isThere = true;
    const block = panel.offsetHeight > innerHeight / 2 ? 'start' : 'center';
    panel.scrollIntoView({ block });
  });
  look.observe(find('app'), { childList: true, subtree: true, attributes: true });
}

// A way that is not in use is chosen, and what reads its result is run again.
async function keepWay(button) {
  if (!isInUse(button)) {
    if (goOn(button, 'switch', 'subtask', 'solution')) announce(say('compare.kept'));
    return;
  }
  await settled('POST', button, say('compare.kept_same'));
}

const isInUse = (button) => Boolean(button.parentElement.querySelector('.mark'));

// The way that was in use before is in use again, and what was kept is not remembered.
async function takeBack(button) {
  const wanted = numbers(button);
  const kept = button.closest('.compared-head').dataset.way;
  if (wanted.solution !== Number(kept)) {
    if (goOnWith('switch', { ...wanted, take_back: true })) announce(say('compare.taken_back'));
    return;
  }
  await settled('DELETE', button, say('compare.taken_back'));
}

// The button that was pressed goes with that; whoever uses the keyboard goes on from the panel.
async function settled(method, button, said) {
  const wanted = numbers(button);
  const hadFocus = document.activeElement === button;
  await sent(method, 'keep', wanted, said);
  if (hadFocus && !button.isConnected) panelOf(wanted)?.focus({ preventScroll: true });
}

async function sent(method, part, body, said) {
  if (state.run) return toast(say('notices.running'));
  try {
    await call(method, own(part), body);
    if (said) announce(said);
    await refresh();
  } catch (error) {
    failed(error);
  }
}

const pair = (element, { left, right }) => {
  const { turn, subtask } = numbers(element);
  return sent('POST', 'compare', { turn, subtask, left, right });
};

function changed({ target }) {
  if (target.matches('.pairs select')) {
    const { pair: place, left, right } = target.dataset;
    const two = { left: Number(left), right: Number(right) };
    two[place === '0' ? 'left' : 'right'] = Number(target.value);
    pair(target, two);
  }
  const both = target.closest('.both');
  if (both && target.type === 'radio') hear(both);
}

async function forgetChoices(button) {
  button.disabled = true;
  try {
    const template = document.createElement('template');
    template.innerHTML = await call('DELETE', own('choices'));
    find('remembered').replaceWith(template.content);
    announce(say('compare.forgotten'));
    await refresh();
  } catch (error) {
    failed(error);
    button.disabled = false;
  }
}

// The slider over two pictures.

function slid({ target }) {
  const slide = target.closest('.slider');
  if (slide) return divide(slide, target);
  if (target.classList.contains('both-place')) move(target.closest('.both'), target.value / 1000);
}

function divide(slide, control) {
  const at = Number(control.value);
  slide.style.setProperty('--at', `${at}%`);
  control.setAttribute('aria-valuetext', say('compare.slider_at', { left: at, right: 100 - at }));
}

// A finger or pointer anywhere on the pictures takes the line along.
function grabbed(event) {
  const slide = event.target.closest('.slider');
  if (!slide || event.button) return;
  const control = slide.querySelector('input');
  const follow = ({ clientX }) => {
    const { left, width } = slide.getBoundingClientRect();
    control.value = Math.round(Math.min(1, Math.max(0, (clientX - left) / width)) * 100);
    divide(slide, control);
  };
  event.preventDefault();
  slide.setPointerCapture(event.pointerId);
  control.focus({ preventScroll: true });
  follow(event);
  slide.addEventListener('pointermove', follow);
  const done = () => slide.removeEventListener('pointermove', follow);
  for (const end of ['pointerup', 'pointercancel']) slide.addEventListener(end, done, { once: true });
}

// Two players with one set of controls: both play, one is heard.

const playersOf = (both) => [...both.querySelectorAll('audio, video')];
const lengthOf = (both) => Math.max(...playersOf(both).map(({ duration }) => duration || 0));
const placeOf = (both) => Math.max(...playersOf(both).map(({ currentTime }) => currentTime));

function hear(both) {
  const side = both.querySelector('input[type=radio]:checked').value;
  for (const player of playersOf(both)) player.muted = player.dataset.side !== side;
}

function playBoth(button) {
  const both = button.closest('.both');
  const starts = button.getAttribute('aria-pressed') !== 'true';
  if (starts) {
    const place = placeOf(both);
    hear(both);
    move(both, place >= lengthOf(both) - 0.05 ? 0 : place / lengthOf(both));
  }
  for (const player of playersOf(both)) {
    if (!starts) player.pause();
    else if (player.currentTime < player.duration - 0.01) player.play().catch(() => {});
  }
  button.setAttribute('aria-pressed', String(starts));
}

function move(both, share) {
  const seconds = share * lengthOf(both) || 0;
  for (const player of playersOf(both)) {
    player.currentTime = Math.min(seconds, player.duration || 0);
    const plays = both.querySelector('[data-do=play-both]').getAttribute('aria-pressed') === 'true';
    if (plays && player.paused && seconds < player.duration) player.play().catch(() => {});
  }
  tell(both);
}

// Called with what a player tells: the place is shown, and who has fallen behind is moved.
function inStep(player) {
  const both = player.closest?.('.both');
  if (!both) return;
  const [first, second] = playersOf(both);
  const heard = first.muted ? second : first;
  const other = heard === first ? second : first;
  if (!heard.paused && !other.paused && Math.abs(heard.currentTime - other.currentTime) > APART) {
    other.currentTime = Math.min(heard.currentTime, other.duration);
  }
  if (playersOf(both).every(({ paused, ended }) => paused || ended)) {
    both.querySelector('[data-do=play-both]').setAttribute('aria-pressed', 'false');
  }
  tell(both);
}

const clock = (seconds) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

function tell(both) {
  const whole = lengthOf(both);
  const now = Math.min(placeOf(both), whole);
  const place = both.querySelector('.both-place');
  if (document.activeElement !== place || !place.matches(':active')) {
    place.value = whole ? Math.round((now / whole) * 1000) : 0;
  }
  const said = say('compare.place_at', { now: clock(now), whole: clock(whole) });
  place.setAttribute('aria-valuetext', said);
  both.querySelector('.both-time').textContent = `${clock(now)} / ${clock(whole)}`;
}

// What a way would do, beside the pointer or the focus. Nothing is run for it.

function startPreviews(app) {
  const shown = document.createElement('div');
  shown.id = 'way-preview';
  shown.setAttribute('role', 'tooltip');
  shown.hidden = true;
  app.append(shown);
  let waiting = 0;
  let wanted = null;
  const away = () => {
    clearTimeout(waiting);
    wanted?.querySelector('[aria-describedby]')?.removeAttribute('aria-describedby');
    wanted = null;
    shown.hidden = true;
  };
  const towards = (event) => {
    const card = event.target.closest?.('.way[data-way]:not(.is-chosen)');
    if (card === wanted) return;
    away();
    if (!card || event.pointerType === 'touch') return;
    // Whoever writes beside the ways is not disturbed by where the pointer happens to be.
    if (event.type !== 'focusin' && document.activeElement?.closest('.why-not')) return;
    wanted = card;
    waiting = setTimeout(async () => {
      const { turn, subtask, way } = card.dataset;
      const path = own(`preview?turn=${turn}&subtask=${subtask}&solution=${way}`);
      const html = await call('GET', path).catch(() => '');
      if (wanted !== card || !html) return;
      shown.innerHTML = html;
      shown.hidden = false;
      place(shown, card);
      if (card.contains(document.activeElement)) {
        document.activeElement.setAttribute('aria-describedby', shown.id);
      }
    }, POINTED_AT_FOR);
  };
  app.addEventListener('pointerover', towards);
  app.addEventListener('pointermove', towards);
  app.addEventListener('focusin', towards);
  app.addEventListener('pointerdown', away);
  const moved = () => {
    if (wanted?.matches(':hover, :focus-within')) place(shown, wanted);
    else away();
  };
  app.addEventListener('scroll', moved, true);
  app.addEventListener('keydown', (event) => event.key === 'Escape' && away());
}

// Above what it belongs to, else to its sides, else below: where there is room, and where it does
// not cover what somebody may want to write in beside the ways.
function place(shown, card) {
  const around = card.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = shown;
  const within = (value, size, most) => Math.max(8, Math.min(value, most - size - 8));
  const left = within(around.left, width, innerWidth);
  const top = within(around.top, height, innerHeight);
  const places = [
    [left, around.top - height - 8],
    [around.right + 8, top],
    [around.left - width - 8, top],
    [left, around.bottom + 8],
  ];
  const field = card.closest('.choices')?.querySelector('.why-not')?.getBoundingClientRect();
  const fits = ([x, y]) => x >= 8 && y >= 8 && x + width <= innerWidth - 8 && y + height <= innerHeight - 8;
  const covers = ([x, y]) => field && x < field.right && field.left < x + width
    && y < field.bottom && field.top < y + height;
  const [x, y] = places.find((one) => fits(one) && !covers(one))
    || [left, field ? Math.max(8, Math.min(around.top, field.top - height - 8)) : top];
  shown.style.left = `${x}px`;
  shown.style.top = `${y}px`;
}
