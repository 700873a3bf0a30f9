// The point picker: clicks on a picture, kept in the picture's own pixels at any zoom.
import { failed } from './notices.js';
import { call, own } from './server.js';
import { escape, find, state } from './state.js';
import { say } from './texts.js';

let picture = null; // { value, width, height, address }
let points = [];
let cross = null;
let onUse = () => {};

export function startPicker(use) {
  onUse = use;
  const stage = find('picker-stage');
  const sheet = find('picker-sheet');
  stage.addEventListener('click', (event) => clicked(event, event.shiftKey ? false : sign()));
  stage.addEventListener('contextmenu', (event) => {
    event.preventDefault();
    clicked(event, false);
  });
  stage.addEventListener('keydown', pressed);
  stage.addEventListener('blur', () => { find('picker-cross').hidden = true; });
  sheet.addEventListener('dragstart', (event) => event.preventDefault());
  find('picker-undo').addEventListener('click', () => { points.pop(); draw(); });
  find('picker-clear').addEventListener('click', () => { points = []; draw(); });
  find('picker-zoom').addEventListener('input', size);
  find('picker-use').addEventListener('click', use_);
  find('picker-pictures').addEventListener('click', (event) => {
    const button = event.target.closest('[data-value]');
    if (button) show(button.dataset.value);
  });
  new ResizeObserver(() => find('picker').open && size()).observe(stage);
}

const sign = () => document.querySelector('[name=picker-sign]:checked').value === 'positive';

export function openPicker(value) {
  const pictures = [...state.files.values()].filter((file) => file.picture);
  if (!pictures.length) return false;
  const attached = state.attached.find((item) => state.files.get(item)?.picture);
  const newest = pictures.findLast((file) => file.type === 'image') || pictures[pictures.length - 1];
  const first = value || attached || newest.value;
  const dialog = find('picker');
  if (!dialog.open) dialog.showModal();
  show(first);
  return true;
}

function show(value) {
  const file = state.files.get(value);
  if (!file) return;
  picture = file;
  points = [];
  cross = null;
  find('picker-zoom').value = 1;
  const image = find('picker-picture');
  image.onload = () => {
    picture = { ...picture, width: file.width || image.naturalWidth, height: file.height || image.naturalHeight };
    size();
  };
  image.src = file.address;
  image.alt = value;
  find('picker-title').textContent = say('pointing.title_in', { name: value });
  find('picker-pictures').innerHTML = [...state.files.values()]
    .filter((item) => item.picture)
    .map((item) => `<button type="button" data-value="${escape(item.value)}" title="${escape(item.value)}"
      aria-pressed="${item.value === value}" aria-label="${escape(item.value)}">${item.thumbnail}</button>`)
    .join('');
  draw();
  find('picker-stage').focus();
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

function clicked(event, positive) {
  if (!picture?.width) return;
  const sheet = find('picker-sheet').getBoundingClientRect();
  const x = (event.clientX - sheet.left) / sheet.width;
  const y = (event.clientY - sheet.top) / sheet.height;
  if (x < 0 || y < 0 || x >= 1 || y >= 1) {
    return tell(say('pointing.beside'));
  }
  add(Math.floor(x * picture.width), Math.floor(y * picture.height), positive);
}

function add(x, y, positive) {
  points.push({ x, y, positive });
  draw();
}

function pressed(event) {
  if (!picture?.width) return;
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  if (!cross) cross = { x: Math.floor(picture.width / 2), y: Math.floor(picture.height / 2) };
  if (steps[event.key]) {
    const far = event.shiftKey ? 1 : Math.max(1, Math.round(Math.max(picture.width, picture.height) / 50));
    const [dx, dy] = steps[event.key];
    cross.x = Math.min(picture.width - 1, Math.max(0, cross.x + dx * far));
    cross.y = Math.min(picture.height - 1, Math.max(0, cross.y + dy * far));
    place(find('picker-cross'), cross);
    find('picker-cross').hidden = false;
    tell(say('pointing.at', cross));
  } else if (event.key === 'Enter' || event.key === ' ') {
    add(cross.x, cross.y, event.shiftKey ? false : sign());
  } else if (event.key === 'Backspace' || (event.key === 'z' && (event.ctrlKey || event.metaKey))) {
    points.pop();
    draw();
  } else {
    return;
  }
  event.preventDefault();
}

function place(element, point) {
  element.style.left = `${((point.x + 0.5) / picture.width) * 100}%`;
  element.style.top = `${((point.y + 0.5) / picture.height) * 100}%`;
}

function draw() {
  const marks = find('picker-marks');
  marks.replaceChildren(...points.map((point, index) => {
    const mark = document.createElement('span');
    mark.className = point.positive ? 'pin positive' : 'pin negative';
    mark.dataset.x = point.x;
    mark.dataset.y = point.y;
    mark.textContent = point.positive ? '+' : '−';
    mark.title = `${index + 1}: ${point.x}, ${point.y}`;
    if (picture?.width) place(mark, point);
    return mark;
  }));
  const positive = points.filter((point) => point.positive).length;
  const negative = points.length - positive;
  find('picker-use').disabled = !positive;
  find('picker-undo').disabled = find('picker-clear').disabled = !points.length;
  if (!points.length) tell(say('pointing.none_yet'));
  else {
    const last = points[points.length - 1];
    const key = positive ? 'pointing.set' : 'pointing.set_none_on_it';
    tell(say(key, { positive, negative, x: last.x, y: last.y }));
  }
}

const tell = (words) => { find('picker-status').textContent = words; };

async function use_() {
  try {
    const kept = await call('POST', own('points'), { image: picture.value, points });
    find('picker').close();
    onUse(kept, picture.value);
  } catch (error) {
    failed(error);
  }
}
