// The page: opens the conversation, sends what a person does, lays out what comes back.
import {
  attach, drawChips, hint, setRunning, setWords, startComposer,
} from './composer.js';
import { announce, failed, toast } from './notices.js';
import { patch, patchOne } from './patch.js';
import { openPicker, startPicker } from './picker.js';
import { call, own } from './server.js';
import { escape, find, name, state } from './state.js';
import { openViewer } from './viewer.js';

let following = true;
let lastSign = 0;
let sent = { text: '', attached: [], at: 0 };

export async function start(shell, send) {
  state.send = send;
  const app = shell.querySelector('#app');
  startComposer(app, ask, takeFiles);
  startPicker(usePoints);
  app.addEventListener('click', acted);
  app.addEventListener('change', changed);
  app.addEventListener('keydown', pressed);
  find('stop').addEventListener('click', stop);
  find('viewer-attach').addEventListener('click', (event) => {
    find('viewer').close();
    attach(event.currentTarget.dataset.value);
  });
  find('viewer-pick').addEventListener('click', (event) => {
    find('viewer').close();
    openPicker(event.currentTarget.dataset.value);
  });
  find('toolbox-search').addEventListener('input', searchToolbox);
  find('settings-form').addEventListener('submit', saveSettings);
  for (const dialog of app.querySelectorAll('dialog')) {
    dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  }
  const scroll = find('scroll');
  scroll.addEventListener('scroll', () => {
    const atEnd = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 120;
    if (atEnd) following = true;
    find('to-end').hidden = atEnd;
  }, { passive: true });
  // The page follows what happens until the person looks elsewhere.
  for (const sign of ['wheel', 'touchmove', 'pointerdown', 'keydown']) {
    scroll.addEventListener(sign, () => { following = false; }, { passive: true });
  }
  document.addEventListener('visibilitychange', () => !document.hidden && refresh());
  setInterval(() => app.dataset.elsewhere === 'true' && refresh(), 2500);
  setInterval(check, 2000);
  const theme = document.querySelector(`[name=theme][value=${window.controlllmTheme.wanted()}]`);
  if (theme) theme.checked = true;
  await open(new URLSearchParams(location.search).get('c') || '');
  app.dataset.ready = 'true';
}

async function open(handle, fresh = false) {
  try {
    draw(await call('POST', '/conversations', { handle, new: fresh }));
    if (document.querySelector('.turn')) toEnd(false);
  } catch (error) {
    failed(error);
  }
}

function draw(content) {
  state.handle = content.handle;
  const address = `?c=${content.handle}`;
  if (location.search !== address) history.replaceState(null, '', address);
  patch(find('turns'), content.turns);
  find('app').dataset.elsewhere = String(content.running && !state.run);
  takeFiles(content);
  drawConversations(content);
  drawChips();
}

function takeFiles(content) {
  state.files = new Map(content.files.map((file) => [file.value, file]));
  patch(find('tray'), content.tray);
  const counter = find('files-count');
  counter.textContent = state.files.size;
  counter.hidden = !state.files.size;
}

function drawConversations(content) {
  find('title').textContent = content.title;
  document.title = content.title === 'New conversation' ? 'ControlLLM' : `${content.title} · ControlLLM`;
  patch(find('conversations'), '<ul>' + content.conversations.map((item) =>
    `<li data-key="${item.handle}"><button type="button" data-do="conversation"
      data-handle="${item.handle}" ${item.handle === state.handle ? 'aria-current="page"' : ''}>
      ${escape(item.title)}</button></li>`).join('') + '</ul>');
}

// Another tab may have gone on with this conversation.
async function refresh() {
  if (state.run || !state.handle) return;
  try {
    const content = await call('GET', own());
    if (!state.run && content.handle === state.handle) draw(content);
  } catch { /* the next action says so */ }
}

function ask(text, attached) {
  if (state.run) return;
  state.run = name();
  // A person sees their words at once, before the server has answered.
  const welcome = document.querySelector('.welcome');
  if (welcome) welcome.remove();
  const chips = attached.map((value) => {
    const file = state.files.get(value);
    return `<span class="chip">${file.thumbnail}<span class="chip-name">${escape(value)}</span></span>`;
  }).join('');
  const draft = document.createElement('article');
  draft.className = 'turn is-running is-draft';
  draft.id = 'draft';
  draft.innerHTML = `<div class="asked">${chips ? `<div class="attachments">${chips}</div>` : ''}
    <p class="bubble">${escape(text.length > 1200 ? text.slice(0, 400) + '…' : text)}</p></div>
    <div class="reply"><p class="now">Reading your request…</p></div>`;
  find('turns').append(draft);
  running(true);
  toEnd(true);
  announce('Your request is sent.');
  state.send.ask({ handle: state.handle, run: state.run, text, attached });
  sent = { text, attached, at: Date.now() };
  lastSign = Date.now();
}

// Where nothing has come for a while, the page looks for itself how things stand.
async function check() {
  if (!state.run || Date.now() - lastSign < 8000) return;
  const run = state.run;
  lastSign = Date.now();
  try {
    const content = await call('GET', own());
    if (state.run !== run) return;
    if (content.running) return;
    const shown = find('turns').querySelectorAll('.turn:not(.is-draft)').length;
    const taken = !find('draft') || content.turns.split('<article').length - 1 > shown;
    if (!taken && Date.now() - sent.at < 60000) return; // it may wait behind other people's
    if (!taken) await call('POST', own('stop'), { run });
    running(false);
    draw(content);
    if (!taken) giveBack();
  } catch (error) {
    if (state.run !== run) return;
    running(false);
    if (find('draft')) giveBack();
    failed(error);
  }
}

// The person gets their words back when the server did not take them.
function giveBack() {
  find('draft')?.remove();
  if (!find('words').value) setWords(sent.text);
  sent.attached.forEach((value) => attach(value, true));
}

// Drawings of a turn arrive here from Gradio's queue.
export function receive(drawing) {
  if (!drawing || !drawing.run || drawing.run !== state.run) return;
  if (drawing.handle !== state.handle) return finish(drawing);
  lastSign = Date.now();
  if (drawing.error) {
    find('draft')?.remove();
    toast(drawing.error, 'error');
  } else {
    const key = `turn-${drawing.turn}`;
    const existing = find('turns').querySelector(`[data-key="${key}"]`);
    const draft = find('draft');
    if (existing) {
      draft?.remove();
      patchOne(existing, drawing.html);
    } else if (draft) {
      draft.insertAdjacentHTML('beforebegin', drawing.html);
      draft.remove();
      find('turns').querySelectorAll('details').forEach((fold) => { fold.wish ??= fold.open; });
    } else {
      find('turns').insertAdjacentHTML('beforeend', drawing.html);
    }
    followGraph(key);
    announce(drawing.now || (drawing.state === 'answered' ? 'The answer is there.' : ''));
    if (following) toAnswer(drawing.turn);
  }
  if (drawing.files && !drawing.error) refreshFiles();
  if (drawing.ended) finish(drawing);
}

// A long plan moves along with what runs now.
function followGraph(key) {
  const node = find('turns').querySelector(`[data-key="${key}"] .node-tool.is-running`);
  const frame = node?.closest('.graph-scroll');
  if (!frame || frame.scrollWidth <= frame.clientWidth) return;
  const [box, outer] = [node.getBoundingClientRect(), frame.getBoundingClientRect()];
  if (box.left < outer.left + 20 || box.right > outer.right - 60) {
    frame.scrollLeft += box.left - outer.left - outer.width / 2;
  }
}

let filesAsked = false;
async function refreshFiles() {
  if (filesAsked) return;
  filesAsked = true;
  await new Promise((resolve) => setTimeout(resolve, 150));
  filesAsked = false;
  try {
    const content = await call('GET', own('files'));
    takeFiles(content);
    drawConversations(content);
  } catch { /* shown with the next answer */ }
}

function finish(drawing) {
  if (!drawing.ended) return;
  running(false);
  if (following) setTimeout(() => toAnswer(drawing.turn), 60);
}

function running(now) {
  if (!now) state.run = '';
  setRunning(now);
  find('app').classList.toggle('is-running', now);
  for (const button of document.querySelectorAll('[data-do=switch]')) button.disabled = now;
}

async function stop() {
  find('stop').disabled = true;
  try {
    await call('POST', own('stop'), { run: state.run });
    announce('Stopping.');
  } catch (error) {
    failed(error);
  }
  find('stop').disabled = false;
}

function toEnd(smooth) {
  const scroll = find('scroll');
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  scroll.scrollTo({ top: scroll.scrollHeight, behavior: smooth && !calm ? 'smooth' : 'instant' });
  following = true;
}

// The end of a short turn, the beginning of one that is longer than the screen.
function toAnswer(number) {
  const scroll = find('scroll');
  const turn = find('turns').querySelector(`[data-key="turn-${number}"]`);
  if (!turn || turn.offsetHeight < scroll.clientHeight - 40) return toEnd(false);
  const reply = turn.querySelector('.reply');
  const off = reply.getBoundingClientRect().top - scroll.getBoundingClientRect().top - 90;
  if (Math.abs(off) > 2) scroll.scrollTop += off;
}

function usePoints(kept, image) {
  takeFiles(kept);
  for (const value of [...state.attached]) {
    if (state.files.get(value)?.of === image) state.attached.splice(state.attached.indexOf(value), 1);
  }
  attach(image, true);
  attach(kept.file.value);
}

const ACTIONS = {
  new: () => {
    if (state.run) return toast('One moment: a request is running. Stop it first, or wait.');
    drawer();
    open('', true);
    find('words').focus();
  },
  conversation: (button) => {
    if (state.run) return toast('One moment: a request is running. Stop it first, or wait.');
    drawer();
    open(button.dataset.handle);
  },
  skip: () => find('words').focus(),
  rail: () => drawer('rail'),
  files: () => drawer('files'),
  veil: () => drawer(),
  end: () => toEnd(true),
  close: (button) => button.closest('dialog').close(),
  attach: (button) => { drawer(); attach(button.dataset.value); },
  view: (button) => openViewer(button.dataset.value),
  open: (button) => openViewer(button.dataset.value),
  pick: (button) => { drawer(); openPicker(button.dataset.value); },
  example,
  switch: switchWay,
  node: selectNode,
  settings: openSettings,
  toolbox: openToolbox,
  forget,
  'forget-model': () => saveSettings(null),
};

function acted(event) {
  // A fold that a person has used stays as they left it.
  const summary = event.target.closest('summary');
  if (summary) summary.parentElement.touched = true;
  const opener = event.target.closest('#open-picker');
  if (opener) {
    if (!openPicker()) hint('Add a picture first, then point at something in it.');
    return;
  }
  const button = event.target.closest('[data-do]');
  if (button && ACTIONS[button.dataset.do] && button.nodeName !== 'SELECT') {
    ACTIONS[button.dataset.do](button);
  }
}

function pressed(event) {
  const node = event.target.closest('g[data-do]');
  if (node && (event.key === 'Enter' || event.key === ' ')) {
    event.preventDefault();
    selectNode(node);
  }
  if (event.key === 'Escape') drawer();
}

async function changed(event) {
  const { target } = event;
  if (target.name === 'theme') window.controlllmTheme.set(target.value);
  if (target.dataset.do === 'type') {
    try {
      takeFiles(await call('POST', own('type'), { value: target.dataset.value, type: target.value }));
      toast(`${target.dataset.value} now counts as ${target.selectedOptions[0].textContent}.`);
    } catch (error) {
      failed(error);
      refreshFiles();
    }
  }
}

// On narrow screens the lists are drawers; at most one is open.
function drawer(wanted = '') {
  const app = find('app');
  const next = app.dataset.drawer === wanted ? '' : wanted;
  if (next) app.dataset.drawer = next;
  else delete app.dataset.drawer;
  for (const button of app.querySelectorAll('.top [aria-controls]')) {
    button.setAttribute('aria-expanded', String(button.getAttribute('aria-controls') === next));
  }
  if (next) find(next).querySelector('button')?.focus({ preventScroll: true });
}

async function example(button) {
  if (state.run) return;
  button.disabled = true;
  try {
    const ready = await call('POST', own(`examples/${button.dataset.example}`));
    takeFiles(ready);
    ask(ready.text, ready.attached);
  } catch (error) {
    failed(error);
    button.disabled = false;
  }
}

function switchWay(button) {
  if (state.run) return toast('One moment: a request is running.');
  const { turn, subtask, solution } = button.dataset;
  state.run = name();
  lastSign = Date.now();
  running(true);
  state.send.switch({
    handle: state.handle, run: state.run,
    turn: Number(turn), subtask: Number(subtask), solution: Number(solution),
  });
}

function selectNode(node) {
  const graph = node.closest('.graph');
  const same = node.classList.contains('is-selected');
  for (const item of graph.querySelectorAll('.is-selected')) item.classList.remove('is-selected');
  for (const item of graph.querySelectorAll('[data-for]')) {
    item.hidden = same || item.dataset.for !== node.dataset.node;
  }
  if (!same) node.classList.add('is-selected');
}

async function openSettings() {
  drawer();
  try {
    find('settings-form').innerHTML = await call('GET', own('settings'));
    find('settings').showModal();
  } catch (error) {
    failed(error);
  }
}

async function saveSettings(event) {
  event?.preventDefault();
  const form = find('settings-form');
  const sent = event ? Object.fromEntries(new FormData(form)) : { forget: true };
  try {
    form.innerHTML = await call('POST', own('settings'), sent);
    find('settings-status').textContent = event ? 'Saved.' : 'No language model is used.';
  } catch (error) {
    find('settings-status').textContent = error.message;
  }
}

async function forget() {
  if (state.run) return toast('One moment: a request is running. Stop it first.');
  if (!confirm('Delete this conversation with its files? This cannot be undone.')) return;
  try {
    await call('DELETE', own());
    find('settings').close();
    state.attached = [];
    history.replaceState(null, '', '/');
    await open('');
    toast('The conversation is deleted.');
  } catch (error) {
    failed(error);
  }
}

async function openToolbox() {
  drawer();
  try {
    if (!find('toolbox-list').innerHTML) find('toolbox-list').innerHTML = await call('GET', '/toolbox');
    find('toolbox').showModal();
  } catch (error) {
    failed(error);
  }
}

function searchToolbox(event) {
  const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const card of document.querySelectorAll('#toolbox .tool-card')) {
    const text = card.textContent.toLowerCase();
    card.hidden = !words.every((word) => text.includes(word));
  }
  for (const domain of document.querySelectorAll('#toolbox .domain')) {
    domain.hidden = !domain.querySelector('.tool-card:not([hidden])');
  }
}
