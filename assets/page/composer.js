// The composer: words, files, recordings and points of the next message.
import { tookForBatch } from './batch.js';
import { announce, toast } from './notices.js';
import { offerCarried, tookRecipe } from './recipes.js';
import { badge, isNumbered, nameOf } from './numbered.js';
import { upload } from './server.js';
import { escape, find, name, nameLabel, state } from './state.js';
import { say } from './texts.js';

const ICONS = {};
let onSend = () => {};
let onFiles = () => {};
const uploading = new Map();

export function startComposer(app, send, files) {
  onSend = send;
  onFiles = files;
  for (const sign of ['audio', 'video', 'text', 'point', 'cross', 'image']) {
    ICONS[sign] = app.querySelector(`.icon-${sign}`)?.outerHTML || '';
  }
  const words = find('words');
  words.addEventListener('input', () => { grow(); hint(''); keepWords(words.value); });
  // Words that the server never answered come back after a reload.
  if (!words.value) setWords(sessionStorage.getItem('words') || '');
  words.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing && !isTouch()) {
      event.preventDefault();
      submit();
    }
  });
  words.addEventListener('paste', (event) => {
    const files = [...(event.clipboardData?.files || [])];
    if (files.length) {
      event.preventDefault();
      addFiles(files);
    }
  });
  find('composer').addEventListener('submit', (event) => { event.preventDefault(); submit(); });
  find('add-files').addEventListener('click', () => find('file-input').click());
  find('file-input').addEventListener('change', (event) => {
    addFiles([...event.target.files]);
    event.target.value = '';
  });
  find('record').addEventListener('click', record);
  find('chips').addEventListener('click', (event) => {
    const button = event.target.closest('[data-remove]');
    if (button) detach(button.dataset.remove);
  });
  dropping(app);
}

export const isTouch = () => matchMedia('(hover: none) and (pointer: coarse)').matches;

export function grow() {
  const words = find('words');
  words.style.height = 'auto';
  words.style.height = `${Math.min(words.scrollHeight, innerHeight * 0.34)}px`;
}

export function hint(text) {
  const place = find('hint');
  place.textContent = text;
  place.hidden = !text;
}

export function keepWords(text) {
  if (text) sessionStorage.setItem('words', text);
  else sessionStorage.removeItem('words');
}

export function setWords(text) {
  find('words').value = text;
  grow();
}

export function attach(value, quiet = false) {
  if (!state.files.has(value)) return;
  if (!state.attached.includes(value)) state.attached.push(value);
  if (!quiet) hint('');
  drawChips();
  if (!quiet) {
    find('words').focus();
    announce(say('composer.added', { name: value }));
  }
}

export function detach(value) {
  const points = state.attached.filter((item) => state.files.get(item)?.of === value);
  state.attached = state.attached.filter((item) => item !== value && !points.includes(item));
  uploading.delete(value);
  drawChips();
}

export function drawChips() {
  state.attached = state.attached.filter((value) => state.files.has(value));
  const chips = state.attached.map((value) => {
    const file = state.files.get(value);
    if (isNumbered(file)) return numberedChip(file);
    const label = file.type === 'point'
      ? say('pointing.points_on', { count: count(file.points), picture: file.of })
      : value;
    return `<li class="chip">${file.thumbnail}<span class="chip-name" dir="auto">${nameLabel(label)}</span>
      <button type="button" class="quiet" data-remove="${escape(value)}"
        aria-label="${escape(say('composer.remove', { name: label }))}">${ICONS.cross}</button></li>`;
  });
  const coming = [...uploading.values()].map((item) =>
    `<li class="chip is-coming"><progress max="1" value="${item.done}"></progress>
      <span class="chip-name" dir="auto">${nameLabel(item.name)}</span></li>`);
  find('chips').innerHTML = [...chips, ...coming].join('');
}

// A chip that writes its number into the sentence.
const numberedChip = (file) => `<li class="chip is-numbered">
  <button type="button" class="chip-body" data-do="say-number" data-value="${escape(file.value)}"
    title="${escape(say('pointing.write_number', { value: file.value }))}">${badge(file)}
    <span class="chip-name">${escape(nameOf(file))}</span></button>
  <button type="button" class="quiet" data-remove="${escape(file.value)}"
    aria-label="${escape(say('pointing.remove_number', { value: file.value }))}">${ICONS.cross}</button></li>`;

const count = (points) => (Array.isArray(points) ? points.length : points);

const MOST_FILES = 20;

export async function addFiles(files) {
  hint('');
  const complaints = [];
  for (const file of files.slice(0, MOST_FILES)) {
    if (!await tookRecipe(file)) complaints.push(await addFile(file));
  }
  const left = files.length - MOST_FILES;
  if (left > 0) complaints.push(say('composer.too_many_files', { count: left, most: MOST_FILES }));
  hint(complaints.filter(Boolean).join(' '));
}

// Adds a file to the message; what was wrong with it, or nothing.
async function addFile(file) {
  const key = name();
  const item = { name: file.name || 'file', done: 0 };
  uploading.set(key, item);
  drawChips();
  try {
    const added = await upload(file, (done) => { item.done = done; drawChips(); });
    uploading.delete(key);
    onFiles(added);
    attach(added.file.value, true);
    announce(say('composer.added', { name: added.file.value }));
    for (const notice of added.notices) toast(notice);
    if (added.carried) offerCarried(file.name, added.carried);
    return '';
  } catch (error) {
    uploading.delete(key);
    drawChips();
    return error.message;
  }
}

function submit() {
  if (uploading.size) return hint(say('composer.still_coming'));
  const text = find('words').value.trim();
  if (!text) {
    find('words').focus();
    return hint(say(state.attached.length ? 'composer.say_what' : 'composer.write_what'));
  }
  const attached = [...state.attached];
  state.attached = [];
  setWords('');
  hint('');
  drawChips();
  onSend(text, attached);
}

export function setRunning(running) {
  find('stop').hidden = !running;
  find('send').title = say(running ? 'queue.send' : 'composer.send');
  find('composer').classList.toggle('is-busy', running);
}

function dropping(app) {
  let depth = 0;
  const hasFiles = (event) => [...(event.dataTransfer?.types || [])].includes('Files');
  const show = (shown) => { find('drop').hidden = !shown; };
  document.addEventListener('dragenter', (event) => {
    if (hasFiles(event)) { event.preventDefault(); depth += 1; show(true); }
  });
  document.addEventListener('dragleave', (event) => {
    if (hasFiles(event)) { depth = Math.max(0, depth - 1); show(depth > 0); }
  });
  document.addEventListener('dragover', (event) => { if (hasFiles(event)) event.preventDefault(); });
  document.addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth = 0;
    show(false);
    const files = [...event.dataTransfer.files];
    if (!tookForBatch(files)) addFiles(files);
  });
}

let recorder = null;

async function record() {
  if (recorder) return recorder.stop();
  let stream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  } catch {
    return hint(say('composer.no_microphone'));
  }
  const pieces = [];
  const began = Date.now();
  recorder = new MediaRecorder(stream);
  const button = find('record');
  button.setAttribute('aria-pressed', 'true');
  const clock = setInterval(() => {
    const seconds = Math.floor((Date.now() - began) / 1000);
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    find('record-words').textContent = say('composer.stop_recording', { time });
  }, 250);
  recorder.ondataavailable = (event) => pieces.push(event.data);
  recorder.onstop = async () => {
    clearInterval(clock);
    recorder = null;
    button.setAttribute('aria-pressed', 'false');
    find('record-words').textContent = say('composer.record');
    stream.getTracks().forEach((track) => track.stop());
    try {
      await addFile(await asWave(new Blob(pieces)));
    } catch {
      hint(say('composer.nothing_recorded'));
    }
  };
  recorder.start();
}

// Browsers record in different formats; a plain 16-bit WAVE file is read everywhere.
async function asWave(blob) {
  const context = new AudioContext();
  const sound = await context.decodeAudioData(await blob.arrayBuffer());
  await context.close();
  const samples = sound.getChannelData(0);
  const view = new DataView(new ArrayBuffer(44 + samples.length * 2));
  const text = (at, letters) => [...letters].forEach((l, i) => view.setUint8(at + i, l.charCodeAt(0)));
  text(0, 'RIFF'); view.setUint32(4, 36 + samples.length * 2, true); text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true); view.setUint16(20, 1, true); view.setUint16(22, 1, true);
  view.setUint32(24, sound.sampleRate, true); view.setUint32(28, sound.sampleRate * 2, true);
  view.setUint16(32, 2, true); view.setUint16(34, 16, true);
  text(36, 'data'); view.setUint32(40, samples.length * 2, true);
  samples.forEach((value, index) => {
    view.setInt16(44 + index * 2, Math.max(-1, Math.min(1, value)) * 32767, true);
  });
  return new File([view], 'recording.wav', { type: 'audio/wav' });
}
