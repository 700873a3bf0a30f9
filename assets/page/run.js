// A request on its way: sent, watched, stopped, sent another way.
import { attach, keepWords, setRunning, setWords } from './composer.js';
import { draw, refresh, refreshFiles, whenRunning } from './conversation.js';
import { announce, failed, toast } from './notices.js';
import { patchOne } from './patch.js';
import { followGraph, isFollowing, toAnswer, toEnd } from './scroll.js';
import { call, own } from './server.js';
import { escape, find, name, state } from './state.js';

let lastSign = 0;
let sent = { text: '', attached: [], at: 0 };

export function startRuns() {
  find('stop').addEventListener('click', stop);
  setInterval(check, 2000);
  whenRunning(follow);
}

// A run that goes on at the server, whoever began it, is watched from now on.
function follow(run) {
  state.run = run;
  lastSign = Date.now();
  running(true);
  state.send.follow({ handle: state.handle, run });
}

export function ask(text, attached) {
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

export const switchWay = (button) => goOn(button, 'switch', 'subtask', 'solution');

// A person says which of several things they mean.
export function choose(button) {
  if (goOn(button, 'choose', 'question', 'choice')) announce('Your choice is sent.');
}

// What was stopped or interrupted goes on where it was.
export function resume(button) {
  if (goOn(button, 'resume')) announce('It goes on.');
}

// A turn that is there goes on, as the numbers of a button say; false where it cannot now.
function goOn(button, kind, ...names) {
  if (state.run) {
    toast('One moment: a request is running.');
    return false;
  }
  state.run = name();
  lastSign = Date.now();
  running(true);
  const numbers = ['turn', ...names].map((key) => [key, Number(button.dataset[key])]);
  state.send[kind]({ handle: state.handle, run: state.run, ...Object.fromEntries(numbers) });
  return true;
}

// Drawings of a turn arrive here from Gradio's queue.
export function receive(drawing) {
  if (!drawing || !drawing.run || drawing.run !== state.run) return;
  if (drawing.handle !== state.handle) return finish(drawing);
  lastSign = Date.now();
  if (drawing.gone) {
    running(false);
    refresh();
    return;
  }
  keepWords('');
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
    announce(drawing.now || outcome(drawing));
    if (isFollowing()) toAnswer(drawing.turn);
  }
  if (drawing.files && !drawing.error) refreshFiles();
  if (drawing.ended) finish(drawing);
}

function outcome({ state: came, met }) {
  if (came === 'running') return '';
  if (came === 'cancelled') return 'Stopped.';
  return met ? 'The answer is there.' : 'This could not be done.';
}

// Where nothing has come for a while, the page looks for itself how things stand.
async function check() {
  if (!state.run || Date.now() - lastSign < 8000) return;
  const run = state.run;
  lastSign = Date.now();
  try {
    const content = await call('GET', own());
    if (state.run !== run) return;
    if (content.run === run) return state.send.follow({ handle: state.handle, run });
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
    find('app').dataset.elsewhere = 'true'; // look again until the server is back
    failed(error);
  }
}

// The person gets their words back when the server did not take them.
function giveBack() {
  find('draft')?.remove();
  if (!find('words').value) setWords(sent.text);
  sent.attached.forEach((value) => attach(value, true));
}

function finish(drawing) {
  if (!drawing.ended) return;
  running(false);
}

function running(now) {
  if (!now) state.run = '';
  setRunning(now);
  find('app').classList.toggle('is-running', now);
  for (const button of document.querySelectorAll('[data-do=switch], [data-do=choose], [data-do=resume]')) button.disabled = now;
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
