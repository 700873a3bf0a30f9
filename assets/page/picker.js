// The picker: clicks, boxes and brush strokes on a picture, kept in the picture's own pixels at any
// zoom; what they mean is shown while they are set.
import { clearMask, colourOf, drawMask, glance, maskOf, middleOf, stopGlancing } from './glance.js';
import { failed } from './notices.js';
import { call, own } from './server.js';
import { escape, find, state } from './state.js';
import { say } from './texts.js';

let picture = null; // { value, width, height, address }
let marks = []; // what was drawn, in order: points, boxes, strokes
let cross = null; // where the keyboard is
let drawing = null; // a box or stroke that is not finished yet; `keys` where the keyboard draws it
let onUse = () => {};
const kept = new Map(); // marks of pictures that were left for another one
let found = null; // what the marks mean, as far as it is known

export function startPicker(use) {
  onUse = use;
  const stage = find('picker-stage');
  stage.addEventListener('click', (event) => {
    if (tool() === 'positive' || tool() === 'negative') clicked(event, event.shiftKey ? false : tool() === 'positive');
  });
  stage.addEventListener('contextmenu', (event) => {
    event.preventDefault();
    if (event.pointerType !== 'touch') clicked(event, false);
  });
  stage.addEventListener('pointerdown', begin);
  stage.addEventListener('pointermove', move);
  stage.addEventListener('pointerup', finish);
  stage.addEventListener('pointercancel', () => { drawing = null; draw(); });
  stage.addEventListener('keydown', pressed);
  stage.addEventListener('blur', () => { find('picker-cross').hidden = true; });
  stage.addEventListener('wheel', wheeled, { passive: false });
  find('picker-sheet').addEventListener('dragstart', (event) => event.preventDefault());
  find('picker-undo').addEventListener('click', undo);
  find('picker-clear').addEventListener('click', () => { marks = []; drawing = null; changed(); });
  find('picker-zoom').addEventListener('input', size);
  find('picker-use').addEventListener('click', () => keep(false));
  find('picker-more').addEventListener('click', () => keep(true));
  find('picker').addEventListener('close', () => { kept.clear(); stopGlancing(); });
  find('picker').addEventListener('cancel', (event) => {
    if (drawing) event.preventDefault();
  });
  for (const radio of document.querySelectorAll('[name=picker-sign]')) radio.addEventListener('change', toolChanged);
  find('picker-pictures').addEventListener('click', (event) => {
    const button = event.target.closest('[data-value]');
    if (button) show(button.dataset.value);
  });
  new ResizeObserver(() => find('picker').open && size()).observe(stage);
}

const tool = () => document.querySelector('[name=picker-sign]:checked').value;
const isBrush = () => tool() === 'brush' || tool() === 'eraser';
const brushWidth = () => (Number(find('picker-brush').value) / 100) * Math.max(picture.width, picture.height);

const pointable = (file) => file.picture && !(file.number && file.type === 'mask');

export function openPicker(value) {
  const pictures = [...state.files.values()].filter(pointable);
  if (!pictures.length) return false;
  const file = state.files.get(value);
  const attached = state.attached.find((item) => state.files.has(item) && pointable(state.files.get(item)));
  const newest = pictures.findLast((item) => item.type === 'image') || pictures[pictures.length - 1];
  const dialog = find('picker');
  if (!dialog.open) dialog.showModal();
  show(file && !pointable(file) && file.of ? file.of : value || attached || newest.value);
  return true;
}

// Marks a box that something found, to be pointed at: { left, top, right, bottom }.
export function openPickerWith(value, box) {
  if (!openPicker(value)) return;
  marks = [{ kind: 'box', ...box }];
  kept.set(value, marks);
  draw();
}

function show(value) {
  const file = state.files.get(value);
  if (!file) return;
  if (picture && marks.length) kept.set(picture.value, marks);
  picture = file;
  marks = kept.get(value) || [];
  cross = drawing = found = null;
  find('picker-zoom').value = 1;
  find('picker-mask').dataset.state = '';
  clearMask(find('picker-mask'));
  const image = find('picker-picture');
  image.onload = () => {
    if (picture.value !== value) return;
    picture = { ...picture, width: file.width || image.naturalWidth, height: file.height || image.naturalHeight };
    size();
    changed();
  };
  image.src = file.address;
  image.alt = value;
  find('picker-title').textContent = say('pointing.title_in', { name: value });
  find('picker-pictures').innerHTML = [...state.files.values()]
    .filter(pointable)
    .map((item) => `<button type="button" data-value="${escape(item.value)}" title="${escape(item.value)}"
      aria-pressed="${item.value === value}" aria-label="${escape(item.value)}">${item.thumbnail}</button>`)
    .join('');
  drawRegions();
  toolChanged();
  draw();
  find('picker-stage').focus();
}

// The things that were pointed at in this picture before, with their numbers.
async function drawRegions() {
  const shown = picture.value;
  const canvas = find('picker-regions');
  const badges = find('picker-badges');
  clearMask(canvas);
  badges.replaceChildren();
  for (const file of state.files.values()) {
    if (file.of !== shown || file.type !== 'mask' || !file.number) continue;
    const mask = await maskOf(file.address);
    if (picture.value !== shown) return;
    drawMask(canvas, mask, file.number, 0.22);
    const badge = document.createElement('span');
    badge.className = `chip-number region-${colourOf(file.number)}`;
    badge.textContent = file.number;
    const middle = middleOf(mask);
    badge.style.left = `${middle.x * 100}%`;
    badge.style.top = `${middle.y * 100}%`;
    badges.append(badge);
  }
}

// The picture fills the stage at zoom 1, also where it is only a few pixels wide.
function size() {
  if (!picture?.width) return;
  const stage = find('picker-stage');
  const zoom = Number(find('picker-zoom').value);
  const room = Math.min((stage.offsetWidth - 24) / picture.width, (stage.offsetHeight - 24) / picture.height);
  const scale = Math.max(room * zoom, 1 / Math.max(picture.width, picture.height));
  const sheet = find('picker-sheet');
  sheet.style.width = `${Math.max(1, picture.width * scale)}px`;
  sheet.style.height = `${Math.max(1, picture.height * scale)}px`;
  sheet.classList.toggle('is-magnified', scale > 3);
  draw();
}

function wheeled(event) {
  if (!event.ctrlKey && !event.metaKey) return;
  event.preventDefault();
  zoomBy(event.deltaY < 0 ? 0.25 : -0.25);
}

function zoomBy(step) {
  const zoom = find('picker-zoom');
  zoom.value = Number(zoom.value) + step;
  size();
}

function toolChanged() {
  find('picker-brush-size').hidden = !isBrush();
  find('picker-stage').classList.toggle('is-drawing', isBrush() || tool() === 'box');
  drawing = null;
  draw();
}

// Where an event is, in the picture's pixels; null beside the picture.
function placeOf(event, anywhere = false) {
  if (!picture?.width) return null;
  const sheet = find('picker-sheet').getBoundingClientRect();
  const x = (event.clientX - sheet.left) / sheet.width;
  const y = (event.clientY - sheet.top) / sheet.height;
  if (!anywhere && (x < 0 || y < 0 || x >= 1 || y >= 1)) {
    tell(say('pointing.beside'));
    return null;
  }
  const within = (share, side) => Math.min(side - 1, Math.max(0, Math.floor(share * side)));
  return { x: within(x, picture.width), y: within(y, picture.height) };
}

function clicked(event, positive) {
  const place = placeOf(event);
  if (place) add({ kind: 'point', ...place, positive });
}

function begin(event) {
  if (event.button !== 0 || (!isBrush() && tool() !== 'box')) return;
  const place = placeOf(event);
  if (!place) return;
  find('picker-stage').setPointerCapture(event.pointerId);
  startDrawing(place, false);
  event.preventDefault();
  find('picker-stage').focus({ preventScroll: true });
}

function startDrawing({ x, y }, keys) {
  drawing = isBrush()
    ? { kind: 'stroke', path: [[x, y]], width: brushWidth(), erases: tool() === 'eraser', keys }
    : { kind: 'box', from: { x, y }, to: { x, y }, keys };
  draw();
}

function move(event) {
  if (!drawing || drawing.keys) return;
  const place = placeOf(event, true);
  if (place) goOn(place);
}

function goOn(place) {
  if (drawing.kind === 'stroke') drawing.path.push([place.x, place.y]);
  else drawing.to = place;
  draw();
}

function finish() {
  if (drawing && !drawing.keys) finishDrawing();
}

function finishDrawing() {
  const { kind, path, width, erases } = drawing;
  const box = kind === 'box' ? boxOf(drawing) : null;
  drawing = null;
  if (kind === 'stroke') return add({ kind, path, width, erases });
  if (Math.min(box.right - box.left, box.bottom - box.top) < 2) {
    draw();
    return tell(say('pointing.box_small'));
  }
  return add({ kind, ...box });
}

// A box from corner to corner; the pixels of both corners belong to it.
const boxOf = ({ from, to }) => ({
  left: Math.min(from.x, to.x),
  top: Math.min(from.y, to.y),
  right: Math.max(from.x, to.x) + 1,
  bottom: Math.max(from.y, to.y) + 1,
});

function add(mark) {
  marks.push(mark);
  changed();
}

function undo() {
  if (drawing) drawing = null;
  else marks.pop();
  changed();
}

function pressed(event) {
  if (!picture?.width) return;
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  if (!cross) cross = { x: Math.floor(picture.width / 2), y: Math.floor(picture.height / 2) };
  const step = steps[event.key];
  if (step) {
    if (event.shiftKey && !drawing) drawing = { kind: 'box', from: { ...cross }, to: { ...cross }, keys: true };
    const far = event.ctrlKey || event.metaKey ? 1 : Math.max(1, Math.round(Math.max(picture.width, picture.height) / 50));
    cross.x = Math.min(picture.width - 1, Math.max(0, cross.x + step[0] * far));
    cross.y = Math.min(picture.height - 1, Math.max(0, cross.y + step[1] * far));
    place(find('picker-cross'), cross);
    find('picker-cross').hidden = false;
    if (drawing?.keys) goOn({ ...cross });
    if (drawing?.kind === 'box') {
      const box = boxOf(drawing);
      tell(say('pointing.box_at', { width: box.right - box.left, height: box.bottom - box.top, x: cross.x, y: cross.y }));
    } else tell(say('pointing.at', cross));
  } else if (event.key === 'Enter' || event.key === ' ') {
    if (drawing?.keys) finishDrawing();
    else if (isBrush() || tool() === 'box') {
      startDrawing(cross, true);
      tell(say(isBrush() ? 'pointing.brush_down' : 'pointing.box_begun'));
    } else add({ kind: 'point', ...cross, positive: event.shiftKey ? false : tool() === 'positive' });
  } else if (event.key === 'Backspace' || (event.key === 'z' && (event.ctrlKey || event.metaKey))) {
    undo();
  } else if (event.key === 'Escape' && drawing) {
    drawing = null;
    draw();
  } else if (event.key === '+' || event.key === '-') {
    zoomBy(event.key === '+' ? 0.5 : -0.5);
  } else {
    return;
  }
  event.preventDefault();
}

function place(element, point) {
  element.style.left = `${((point.x + 0.5) / picture.width) * 100}%`;
  element.style.top = `${((point.y + 0.5) / picture.height) * 100}%`;
}

// What was drawn, as the server wants it.
const sent = () => ({
  points: marks.filter(({ kind }) => kind === 'point').map(({ x, y, positive }) => ({ x, y, positive })),
  boxes: marks.filter(({ kind }) => kind === 'box').map(({ left, top, right, bottom }) => ({ left, top, right, bottom })),
  strokes: marks.filter(({ kind }) => kind === 'stroke').map(({ path, width, erases }) => ({ path, width, erases })),
});

const saysSomething = () => marks.some((mark) => mark.kind === 'box' || mark.positive || (mark.kind === 'stroke' && !mark.erases));

const nextNumber = () => Math.max(0, ...[...state.files.values()].map((file) => file.number || 0)) + 1;

// The marks are others now: shows them, and finds out what they mean.
function changed() {
  draw();
  found = null;
  const canvas = find('picker-mask');
  canvas.dataset.state = saysSomething() ? 'looking' : '';
  if (!saysSomething()) clearMask(canvas);
  if (!picture?.width) return;
  const { value } = picture;
  glance(value, sent(), (answer) => {
    if (picture.value !== value) return;
    if (answer.failed) return tell(answer.failed);
    found = answer;
    clearMask(canvas);
    drawMask(canvas, answer, nextNumber());
    canvas.dataset.state = answer.final ? 'final' : 'guess';
    tellMarks();
  });
}

function draw() {
  const all = [...marks, ...(drawing ? [drawing.kind === 'box' ? { kind: 'box', ...boxOf(drawing) } : drawing] : [])];
  find('picker-marks').replaceChildren(...all.filter(({ kind }) => kind === 'point').map((point, index) => {
    const mark = document.createElement('span');
    mark.className = point.positive ? 'pin positive' : 'pin negative';
    mark.dataset.x = point.x;
    mark.dataset.y = point.y;
    mark.textContent = point.positive ? '+' : '−';
    mark.title = `${index + 1}: ${point.x}, ${point.y}`;
    if (picture?.width) place(mark, point);
    return mark;
  }));
  const shapes = find('picker-drawn');
  if (picture?.width) shapes.setAttribute('viewBox', `0 0 ${picture.width} ${picture.height}`);
  shapes.replaceChildren(...all.filter(({ kind }) => kind !== 'point').flatMap(shapeOf));
  find('picker-use').disabled = find('picker-more').disabled = !saysSomething();
  find('picker-undo').disabled = find('picker-clear').disabled = !all.length;
  tellMarks();
}

function shapeOf(mark) {
  const name = mark.kind === 'box' ? 'rect' : 'polyline';
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  if (mark.kind === 'box') {
    made.setAttribute('x', mark.left);
    made.setAttribute('y', mark.top);
    made.setAttribute('width', mark.right - mark.left);
    made.setAttribute('height', mark.bottom - mark.top);
    const under = made.cloneNode();
    under.setAttribute('class', 'is-under');
    made.setAttribute('class', 'drawn-box');
    return [under, made];
  }
  const [first] = mark.path;
  made.setAttribute('points', [...mark.path, first && mark.path.length === 1 ? [first[0] + 0.01, first[1]] : null].filter(Boolean).map((at) => at.join(',')).join(' '));
  made.setAttribute('stroke-width', mark.width);
  made.setAttribute('class', mark.erases ? 'drawn-eraser' : 'drawn-brush');
  return [made];
}

function tellMarks() {
  if (!marks.length) return tell(say('pointing.none'));
  const positive = marks.filter((mark) => mark.kind === 'point' && mark.positive).length;
  const negative = marks.filter((mark) => mark.kind === 'point' && !mark.positive).length;
  const boxes = marks.filter(({ kind }) => kind === 'box').length;
  const strokes = marks.filter(({ kind }) => kind === 'stroke').length;
  const parts = [];
  if (positive + negative) {
    const last = marks.findLast(({ kind }) => kind === 'point');
    parts.push(say('pointing.clicks', { positive, negative, x: last.x, y: last.y }));
  }
  if (boxes) parts.push(say('pointing.boxes', { count: boxes }));
  if (strokes) parts.push(say('pointing.strokes', { count: strokes }));
  if (!saysSomething()) parts.push(say('pointing.nothing_positive'));
  else if (found) {
    const share = Math.max(1, Math.round(found.share * 100));
    parts.push(say(found.final ? 'pointing.found' : 'pointing.guessed', { name: found.name || say('pointing.a_thing'), share }));
  } else parts.push(say('pointing.looking'));
  return tell(parts.join(' '));
}

const tell = (words) => {
  const status = find('picker-status');
  if (status.textContent !== words) status.textContent = words;
};

// Keeps what was pointed at; with `more` the next thing can be pointed at right away.
async function keep(more) {
  const { value } = picture;
  const buttons = [find('picker-use'), find('picker-more')];
  for (const button of buttons) button.disabled = true;
  try {
    const added = await call('POST', own('regions'), { image: value, marks: sent() });
    kept.delete(value);
    marks = [];
    found = null;
    onUse(added, value);
    if (!more) return find('picker').close();
    changed();
    await drawRegions();
    tell(say('pointing.kept', { number: added.file.number }));
    find('picker-stage').focus();
  } catch (error) {
    draw();
    failed(error);
  }
}
