// The cutter: a part of a sound or a video between two handles, or one frame of a video.
import { announce, failed } from './notices.js';
import { call, own } from './server.js';
import { findWords, forgetWords, isListening, markWords, startSpoken } from './spoken.js';
import { find, state } from './state.js';
import { say } from './texts.js';

let file = null;
let seconds = 0;
let peaks = [];
let ends = { start: 0, end: 0 };
let onUse = () => {};
let stopAt = null;

export function startCutter(use) {
  onUse = use;
  for (const which of ['start', 'end']) {
    const handle = find(`cutter-${which}`);
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
  find('cutter-canvas').addEventListener('pointerdown', (event) => {
    const time = timeAt(event);
    moveTo(Math.abs(time - ends.start) < Math.abs(time - ends.end) ? 'start' : 'end', time);
  });
  find('cutter-play').addEventListener('click', play);
  find('cutter-use').addEventListener('click', () => keep('parts', ends));
  find('cutter-frame').addEventListener('click', () => keep('frames', { at: player().currentTime }));
  find('cutter-words').addEventListener('click', () => (isListening() ? forgetWords() : showWords()));
  find('cutter').addEventListener('close', () => {
    forgetWords();
    player()?.pause();
    find('cutter-player').replaceChildren();
  });
  startSpoken((part) => { ends = { start: part.start, end: Math.min(part.end, seconds || part.end) }; player().currentTime = ends.start; draw(); }, {
    play, use: () => find('cutter-use').click(),
  });
  new ResizeObserver(() => find('cutter').open && draw()).observe(find('cutter-wave'));
}

// The keyboard goes on in the words, unless it is used elsewhere by then.
function showWords(transcript) {
  const before = document.activeElement;
  findWords(file.value, transcript, () => [before, document.body].includes(document.activeElement));
}

const player = () => find('cutter-player').firstElementChild;

export const canCut = (item) => item?.type === 'audio' || item?.type === 'video';

// Opens the cutter for a recording, or for the newest one; of a `transcript` the words are shown.
export async function openCutter(value, transcript) {
  const all = [...state.files.values()].filter((item) => canCut(item) && !item.number);
  file = state.files.get(value) || all.at(-1);
  if (!canCut(file)) return false;
  const media = document.createElement(file.type);
  media.controls = true;
  media.src = file.address;
  media.setAttribute('aria-label', file.value);
  media.addEventListener('timeupdate', now);
  media.addEventListener('loadedmetadata', () => { if (!seconds) setLength(media.duration); });
  find('cutter-player').replaceChildren(media);
  find('cutter-title').textContent = say('pointing.part_title', { name: file.value });
  find('cutter-frame').hidden = file.type !== 'video';
  seconds = 0;
  peaks = [];
  if (!find('cutter').open) find('cutter').showModal();
  find('cutter-start').focus();
  forgetWords();
  draw();
  if (transcript) showWords(transcript);
  const { value: asked } = file;
  try {
    const said = await call('POST', own('loudness'), { value: asked });
    if (file.value !== asked) return true;
    peaks = said.peaks;
    setLength(said.seconds);
    if (!peaks.length) find('cutter-says').textContent = say('pointing.no_sound');
  } catch (error) {
    failed(error);
  }
  return true;
}

function setLength(length) {
  if (!Number.isFinite(length) || !length) return;
  const fresh = !seconds;
  seconds = length;
  if (fresh) ends = { start: 0, end: length };
  ends.end = Math.min(ends.end, length);
  draw();
}

function timeAt(event) {
  const box = find('cutter-canvas').getBoundingClientRect();
  return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * seconds;
}

function moveTo(which, time) {
  if (!seconds) return;
  const least = Math.min(0.1, seconds / 2);
  const rounded = Math.round(time * 20) / 20;
  if (which === 'start') ends.start = Math.max(0, Math.min(rounded, ends.end - least));
  else ends.end = Math.min(seconds, Math.max(rounded, ends.start + least));
  player().currentTime = ends[which];
  draw();
}

function pressed(event, which) {
  const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
  if (step) moveTo(which, ends[which] + step * (event.shiftKey ? 1 : 0.1));
  else if (event.key === 'Home') moveTo(which, 0);
  else if (event.key === 'End') moveTo(which, seconds);
  else if (event.key === ' ') play();
  else return;
  event.preventDefault();
}

function play() {
  const media = player();
  if (!media.paused) return media.pause();
  media.currentTime = ends.start;
  stopAt = ends.end;
  return media.play().catch(() => {});
}

function now() {
  const media = player();
  if (!media || !seconds) return;
  find('cutter-now').style.left = `${(media.currentTime / seconds) * 100}%`;
  if (stopAt !== null && media.currentTime >= stopAt) {
    media.pause();
    stopAt = null;
  }
}

const clock = (time) => {
  const tenths = Math.round(time * 10);
  const rest = tenths % 600;
  return `${Math.floor(tenths / 600)}:${String(Math.floor(rest / 10)).padStart(2, '0')}${rest % 10 ? `.${rest % 10}` : ''}`;
};

function draw() {
  const canvas = find('cutter-canvas');
  const scale = devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(canvas.clientWidth * scale));
  canvas.height = Math.max(1, Math.round(canvas.clientHeight * scale));
  const pen = canvas.getContext('2d');
  pen.fillStyle = getComputedStyle(canvas).color;
  const middle = canvas.height / 2;
  const wide = canvas.width / Math.max(1, peaks.length);
  const loudest = Math.max(0.05, ...peaks.map(([low, high]) => Math.max(-low, high)));
  peaks.forEach(([low, high], place) => {
    const top = middle - (high / loudest) * middle * 0.95;
    const bottom = middle - (low / loudest) * middle * 0.95;
    pen.fillRect(place * wide, top, Math.max(1, wide * 0.8), Math.max(scale, bottom - top));
  });
  find('cutter-wave').dataset.pieces = peaks.length;
  if (!seconds) return;
  const from = (ends.start / seconds) * 100;
  const to = (ends.end / seconds) * 100;
  find('cutter-part').style.left = `${from}%`;
  find('cutter-part').style.width = `${to - from}%`;
  for (const which of ['start', 'end']) {
    const handle = find(`cutter-${which}`);
    handle.style.left = `${which === 'start' ? from : to}%`;
    handle.setAttribute('aria-valuemin', 0);
    handle.setAttribute('aria-valuemax', seconds.toFixed(1));
    handle.setAttribute('aria-valuenow', ends[which].toFixed(1));
    handle.setAttribute('aria-valuetext', clock(ends[which]));
  }
  markWords(ends);
  find('cutter-says').textContent = say('pointing.part_says', {
    from: clock(ends.start), to: clock(ends.end), seconds: (ends.end - ends.start).toFixed(1),
  });
}

async function keep(where, what) {
  const buttons = [find('cutter-use'), find('cutter-frame')];
  for (const button of buttons) button.disabled = true;
  find('cutter').setAttribute('aria-busy', 'true');
  try {
    const added = await call('POST', own(where), { value: file.value, ...what });
    find('cutter').close();
    onUse(added, file.value);
    announce(say('pointing.kept', { number: added.file.number }));
  } catch (error) {
    failed(error);
  } finally {
    for (const button of buttons) button.disabled = false;
    find('cutter').removeAttribute('aria-busy');
  }
}
