// Tools from elsewhere: a fold of the toolbox.
import { sure } from './asking.js';
import { redrawTools } from './dialogs.js';
import { failed } from './notices.js';
import { call, own } from './server.js';
import { escape, find } from './state.js';
import { say } from './texts.js';

const MOST_BYTES = 16_000_000;

export function startSources() {
  const list = find('toolbox-list');
  // These events do not rise by themselves.
  list.addEventListener('toggle', unfolded, true);
  list.addEventListener('submit', add);
  list.addEventListener('change', ({ target }) => target.id === 'source-file' && choose(target.files[0]));
  list.addEventListener('dragover', (event) => event.target.closest('#source-form') && event.preventDefault());
  list.addEventListener('drop', dropped);
  list.addEventListener('input', ({ target }) => {
    if (target.id !== 'source-address') return;
    chosen = null;
    // What was said of another address is not true of this one.
    tell('');
  });
}

async function unfolded({ target }) {
  if (!target.open) return;
  try {
    if (target.id === 'sources') show(await call('GET', own('sources')));
    if (target.matches('.source-tool')) await put(target, call('GET', at(target)));
  } catch (error) {
    failed(error);
  }
}

const at = ({ dataset }) => own(`sources/${dataset.source}/${dataset.tool}`);

function show(html) {
  find('sources-panel').innerHTML = html;
}

const foldOf = ({ dataset }) =>
  document.querySelector(`.source-tool[data-source="${dataset.source}"][data-tool="${dataset.tool}"]`);

// `coming` is what the fold is to show; until it is there, what it shows is marked as waiting.
async function put(fold, coming) {
  const body = fold.querySelector('.source-body');
  const isEmpty = !body.hasChildNodes();
  if (isEmpty) body.innerHTML = `<p class="quiet-words">${escape(say('sources.reading'))}</p>`;
  body.setAttribute('aria-busy', 'true');
  let html;
  try {
    html = await coming;
  } finally {
    body.removeAttribute('aria-busy');
    if (isEmpty) body.replaceChildren();
  }
  const focused = body.contains(document.activeElement) && document.activeElement;
  const kept = [...body.querySelectorAll('[data-value]')].map((field) => field.value);
  body.innerHTML = html;
  const mark = body.querySelector('[data-mark]');
  const summary = fold.querySelector('summary');
  summary.querySelector('.badge')?.remove();
  summary.append(mark.content);
  mark.remove();
  body.querySelectorAll('[data-value]').forEach((field, place) => { field.value = kept[place] ?? ''; });
  if (!focused) return;
  const same = focused.id
    ? find(focused.id)
    : body.querySelector(`[data-do="${focused.dataset.do}"]`);
  same?.focus({ preventScroll: true });
}

// A document that a person chose on their own computer; its name stands in place of an address.
let chosen = null;

function choose(file) {
  if (!file) return;
  if (file.size > MOST_BYTES) {
    tell(say('sources.file_too_large', { name: file.name }), true);
    return;
  }
  find('source-address').value = file.name;
  tell('');
  chosen = file;
  find('source-name').focus();
}

function dropped(event) {
  if (!event.target.closest('#source-form') || !event.dataTransfer.files.length) return;
  event.preventDefault();
  event.stopPropagation();
  choose(event.dataTransfer.files[0]);
}

function tell(words, isFailed = false) {
  find('sources-status').textContent = words;
  find('sources-status').classList.toggle('is-failed', isFailed);
}

async function add(event) {
  if (event.target.id !== 'source-form') return;
  event.preventDefault();
  const sent = Object.fromEntries(new FormData(event.target));
  sent.local = 'local' in sent;
  sent.reads = 'reads' in sent;
  if (chosen) sent.document = await chosen.text();
  const button = event.target.querySelector('[type=submit]');
  button.disabled = true;
  tell(say('sources.reading'));
  try {
    show(await call('POST', own('sources'), sent));
    chosen = null;
    await redrawTools();
  } catch (error) {
    tell(error.message, true);
  } finally {
    button.disabled = false;
  }
}

export async function removeSource({ dataset }) {
  if (!await sure(say('sources.remove_sure', { name: dataset.source }), say('sources.remove'))) return;
  try {
    show(await call('DELETE', own(`sources/${dataset.source}`)));
    await redrawTools();
    find('source-address').focus();
  } catch (error) {
    failed(error);
  }
}

export async function trySourceTool(button) {
  const acts = button.dataset.acts === 'true';
  if (acts && !await sure(say('sources.try_sure'), say('sources.try'))) return;
  const fields = foldOf(button).querySelectorAll('[data-value]');
  const values = Object.fromEntries([...fields].map(({ dataset, value }) => [dataset.value, value]));
  button.disabled = true;
  await change(button, { wish: 'try', values, allowed: acts });
  button.disabled = false;
}

// A choice that was changed, where it is one of a tool from elsewhere.
export function correctSource(field) {
  if (field.dataset.do === 'source-type') {
    change(field, { wish: 'type', about: field.dataset.about, type: field.value });
  }
  if (field.dataset.do === 'source-acts') change(field, { wish: 'acts', acts: field.checked });
}

async function change(from, sent) {
  try {
    await put(foldOf(from), call('POST', at(from), sent));
  } catch (error) {
    failed(error);
  }
}
