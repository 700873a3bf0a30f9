// A batch: a recipe put to many files. The server does the work; here it is begun and watched.
import { on } from './actions.js';
import { sure } from './asking.js';
import { refresh } from './conversation.js';
import { announce, failed, toast } from './notices.js';
import { patch, patchOne } from './patch.js';
import { call, listen, own, upload } from './server.js';
import { find, state as page } from './state.js';
import { say } from './texts.js';

const LOOK_AGAIN = 1500; // milliseconds before a stream that broke off is asked for anew
let shown = ''; // the batch in the dialog
let watched = ''; // the batch whose stream is read
let chosen = [];

const at = (part = '', id = shown) => own(`batches/${id}${part && '/' + part}`);

// The form that begins a batch: `title` and `html`.
export function startBatchForm({ title, html }) {
  show(title, html);
  chosen = [];
  const form = find('batch-form');
  form.addEventListener('submit', begin);
  find('batch-files')?.addEventListener('change', ({ target }) => choose([...target.files]));
}

function show(title, html) {
  find('batch-title').textContent = title;
  find('batch-body').innerHTML = html;
  if (!find('batch').open) find('batch').showModal();
}

function choose(files) {
  chosen = files;
  find('batch-hint').hidden = true;
  find('batch-chosen').textContent = files.length ? say('batch.chosen', { count: files.length }) : '';
}

// Files that are dropped while the form is open are for it.
export function tookForBatch(files) {
  if (!find('batch').open || !find('batch-drop')) return false;
  choose(files);
  return true;
}

async function begin(event) {
  event.preventDefault();
  const form = event.currentTarget;
  const hint = find('batch-hint');
  if (Number(form.dataset.files) && !chosen.length) {
    hint.textContent = say('batch.no_files');
    hint.hidden = false;
    return;
  }
  const words = Object.fromEntries([...form.querySelectorAll('[data-words]')]
    .map(({ dataset, value }) => [dataset.words, value]));
  const others = [...form.querySelectorAll('[data-input]')].map(({ dataset, files }) => [dataset.input, files[0]]);
  const anew = form.querySelector('[name=place]:checked')?.value === 'anew';
  form.querySelector('[type=submit]').disabled = true;
  try {
    const batch = await call('POST', own('batches'), { recipe: form.dataset.recipe, words, anew });
    const own_ = own(`batches/${batch.id}`);
    for (const [input, file] of others) {
      await send(file, `${own_}/files?input=${encodeURIComponent(input)}&`);
    }
    await refresh();
    find('turns').querySelector(`[data-key="batch-${batch.id}"]`)?.scrollIntoView({ block: 'nearest' });
    await addFiles(batch.id, own_, chosen);
  } catch (error) {
    failed(error);
    form.querySelector('[type=submit]')?.removeAttribute('disabled');
  }
}

const send = (file, path) => upload(file, () => {}, path);

// The work begins with the first file, while the others are on their way.
async function addFiles(id, base, files) {
  await showBatch(id);
  let count = 0;
  for (const file of files) {
    const added = await send(file, `${base}/files?`);
    count += 1;
    // Whoever watches may have heard more of it by now.
    if (!rowOf(added.number)) putRow(id, added.number, added.row);
    if (shown === id && find('batch-rows') && count < files.length && watched !== id) {
      find('batch-head').textContent = say('batch.coming', { count, all: files.length });
    }
    if (count === 1 || count === files.length) {
      await call('POST', `${base}/begin`);
      watch(id);
    }
  }
}

export async function showBatch(id) {
  shown = id;
  try {
    const panel = await call('GET', at());
    show(panel.title, panel.html);
    if (panel.working) watch(id);
  } catch (error) {
    failed(error);
  }
}

const rowOf = (number) => find('batch-panel')?.querySelector(`[data-number="${number}"]`);

// Failures stand apart, below the others.
function putRow(id, number, html) {
  if (shown !== id || !find('batch-rows')) return;
  const known = rowOf(number);
  const wanted = document.createElement('template');
  wanted.innerHTML = html;
  const isFailed = wanted.content.firstElementChild.matches('.is-failed');
  const place = find(isFailed ? 'batch-failed' : 'batch-rows');
  if (known) {
    const row = patchOne(known, html);
    if (row.parentNode !== place) place.append(row);
  } else {
    place.append(wanted.content);
  }
}

let asked = 0; // how often somebody wanted a batch to be watched

// Reads what changes of a batch at work until it ends, however often the stream breaks off.
async function watch(id) {
  asked += 1;
  if (watched === id) return;
  watched = id;
  let last = null;
  for (let known = -1; known !== asked && watched === id;) {
    // What was begun while the last drawing was on its way is watched as well.
    known = asked;
    try {
      await listen(own(`batches/${id}/follow`), {}, new AbortController().signal, (drawing) => {
        last = drawing;
        take(id, drawing);
      });
    } catch (error) {
      if (error.status) break;
      known = -1;
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN));
    }
  }
  if (watched !== id) return;
  watched = '';
  if (last?.ended) {
    announce(last.now);
    if (!find('batch').open) toast(say('batch.told', { name: last.name, words: last.now }));
  }
  // What else is at work has stood as it was meanwhile.
  watchOn();
}

function take(id, drawing) {
  const state = find('batch-state');
  state.hidden = drawing.ended;
  state.textContent = drawing.state;
  tell(id, drawing);
  // What nobody sees is drawn when they look again.
  if (shown !== id || !find('batch').open || !find('batch-rows')) return;
  for (const [number, html] of Object.entries(drawing.rows)) putRow(id, number, html);
  patch(find('batch-head'), drawing.head);
}

// The conversation that it was begun from tells how far it is, and so do its files.
function tell(id, { home, line, entry }) {
  if (home === page.handle) {
    const place = find('turns').querySelector(`[data-key="batch-${id}"]`);
    const file = find('tray').querySelector(`[data-key="batch-file-${id}"]`);
    if (place) patchOne(place, line);
    if (file) patchOne(file, entry);
    if (!place || !file) refresh();
  }
}

// After the page was loaded again: a batch that is at work is watched on.
export async function watchOn() {
  try {
    const { batch } = await call('GET', own('batches'));
    if (batch) watch(batch);
  } catch { /* the next action says so */ }
}

async function ask(part, body, id = shown) {
  try {
    await call('POST', at(part, id), body);
    watch(id);
  } catch (error) {
    failed(error);
  }
}

async function remove() {
  if (!await sure(say('batch.delete_sure'), say('batch.delete'))) return;
  try {
    await call('DELETE', at());
    find('batch').close();
    refresh();
    toast(say('batch.deleted'));
  } catch (error) {
    failed(error);
  }
}

// Pointing at something in one picture: a click, or the cross and Enter.
function openPoint({ dataset }) {
  find('batch-point-title').textContent = say('batch.point_title', { name: dataset.name });
  const sheet = document.createElement('button');
  sheet.type = 'button';
  sheet.className = 'batch-sheet';
  const picture = document.createElement('img');
  picture.src = dataset.address;
  picture.alt = dataset.name;
  const cross = document.createElement('span');
  cross.className = 'pin positive';
  cross.textContent = '+';
  sheet.append(picture, cross);
  const help = document.createElement('p');
  help.className = 'quiet-words';
  help.textContent = say('batch.point_help');
  find('batch-point-body').replaceChildren(sheet, help);
  const place = { x: 0.5, y: 0.5 };
  const draw = () => {
    cross.style.left = `${place.x * 100}%`;
    cross.style.top = `${place.y * 100}%`;
  };
  const use = () => {
    find('batch-point').close();
    ask('point', { number: Number(dataset.number), ...place });
  };
  sheet.addEventListener('click', (event) => {
    // A click that the keyboard made has no place.
    if (event.detail) {
      const box = picture.getBoundingClientRect();
      place.x = Math.min(0.999, Math.max(0, (event.clientX - box.left) / box.width));
      place.y = Math.min(0.999, Math.max(0, (event.clientY - box.top) / box.height));
    }
    use();
  });
  sheet.addEventListener('keydown', (event) => {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (!steps[event.key]) return;
    event.preventDefault();
    const far = event.shiftKey ? 0.005 : 0.03;
    place.x = Math.min(0.999, Math.max(0, place.x + steps[event.key][0] * far));
    place.y = Math.min(0.999, Math.max(0, place.y + steps[event.key][1] * far));
    draw();
  });
  draw();
  find('batch-point').showModal();
  sheet.focus();
}

on({
  'stop-batch': ({ dataset }) => ask('stop', undefined, dataset.batch),
  'go-on-batch': ({ dataset }) => ask('begin', undefined, dataset.batch),
  'again-batch': () => ask('again', { number: 0 }),
  'again-item': ({ dataset }) => ask('again', { number: Number(dataset.number) }),
  'point-item': openPoint,
  'delete-batch': remove,
});
