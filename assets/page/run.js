// A request on its way: sent, watched, stopped, sent another way.
import { attach, isTouch, keepWords, setRunning, setWords } from './composer.js';
import { draw, refresh, refreshFiles, whenRunning } from './conversation.js';
import { reached } from './connection.js';
import { Drawn } from './differences.js';
import { announce, announceProgress, failed, toast } from './notices.js';
import { patchOne } from './patch.js';
import { changeWaiting, enqueue, takeStanding } from './queue.js';
import { followGraph, isFollowing, toAnswer, toEnd } from './scroll.js';
import { call, listen, own } from './server.js';
import { escape, find, name, nameLabel, state } from './state.js';
import { streaming } from './streams.js';
import { say } from './texts.js';

let lastSign = 0;
let sent = { text: '', attached: [] };
let reading = null; // what ends the stream that is read now
let pressedIn = ''; // the key of the turn that goes on because of a button in it

export function startRuns() {
  find('stop').addEventListener('click', stop);
  setInterval(lookAfter, 2000);
  whenRunning(follow);
}

// A run that goes on at the server, whoever began it, is watched from now on.
function follow(run) {
  state.run = run;
  running(true);
  watch('follow');
}

// Sends what is wanted of the run, and draws what comes of it. Where the connection breaks, the
// run goes on at the server, and the page looks how it stands.
async function watch(kind, wanted = {}) {
  const { handle, run } = state;
  reading?.abort();
  const mine = reading = new AbortController();
  lastSign = Date.now();
  let path = own(kind);
  let body = { ...wanted, run };
  try {
    await streaming(async (stays) => {
      const drawn = new Drawn();
      let hasEnded = stays;
      await listen(path, body, mine.signal, (drawing) => {
        hasEnded ||= drawing.ended;
        receive({ ...drawing, html: drawn.after(drawing) }, handle, run);
      }, stays);
      [path, body] = [own('follow'), { run }];
      return hasEnded || mine.signal.aborted;
    });
  } catch (error) {
    if (state.run !== run || reading !== mine || mine.signal.aborted) return;
    reading = null;
    if (error.status) return refused(error);
    checkWhenReached(run);
  } finally {
    if (reading === mine) reading = null;
  }
}

function refused(error) {
  running(false);
  if (find('draft')) giveBack();
  else refresh();
  failed(error);
}

export function ask(text, attached) {
  const editing = state.editing;
  state.editing = null;
  find('editing').hidden = true;
  sent = { text, attached };
  if (state.run || editing?.waiting) return askLater(editing);
  state.run = name();
  pressedIn = '';
  // What is asked anew goes on beside what was asked here before, and what came of that.
  if (editing) leaveBranch(editing.turn);
  // A person sees their words at once, before the server has answered.
  const welcome = document.querySelector('.welcome');
  if (welcome) welcome.remove();
  const chips = attached.map((value) => {
    const file = state.files.get(value);
    return `<span class="chip">${file.thumbnail}<span class="chip-name" dir="auto">${nameLabel(value)}</span></span>`;
  }).join('');
  const draft = document.createElement('article');
  draft.className = 'turn is-running is-draft';
  draft.id = 'draft';
  draft.innerHTML = `<div class="asked">${chips ? `<div class="attachments">${chips}</div>` : ''}
    <p class="bubble" dir="auto">${escape(text.length > 1200 ? text.slice(0, 400) + '…' : text)}</p></div>
    <div class="reply"><p class="now">${escape(say('stages.reading'))}</p></div>`;
  find('turns').append(draft);
  running(true);
  // What was pressed is gone: an example, the button that sends.
  if (isFocusLost() && !isTouch()) find('words').focus();
  toEnd(true);
  announce(say('notices.sent'));
  watch('ask', editing ? { ...sent, after: editing.after } : sent);
}

// What is asked while a request runs waits for its end.
async function askLater(editing) {
  const { text, attached } = sent;
  const taken = editing?.waiting
    ? await changeWaiting(editing.waiting, text)
    : await enqueue(text, attached);
  keepWords(find('words').value);
  if (!taken) giveBack();
}

function leaveBranch(turn) {
  let left = find('turns').querySelector(`[data-key="turn-${turn}"]`);
  while (left) {
    const next = left.nextElementSibling;
    left.remove();
    left = next;
  }
}

export const switchWay = (button) => goOn(button, 'switch', 'subtask', 'solution');

// A person says which of several things they mean.
export function choose(button) {
  if (goOn(button, 'choose', 'question', 'choice')) announce(say('notices.choice_sent'));
}

// An agent works on a part, step by step.
export function act(button) {
  if (goOn(button, 'act', 'subtask')) announce(say('notices.acting'));
}

// The step that an agent is at ends; it decides on the next.
export async function skipStep(button) {
  button.disabled = true;
  try {
    await call('POST', own('skip'), { turn: Number(button.dataset.turn) });
    announce(say('notices.skipped'));
  } catch (error) {
    failed(error);
  }
}

// What was stopped or interrupted goes on where it was.
export function resume(button) {
  if (goOn(button, 'resume')) announce(say('notices.goes_on'));
}

// A turn that is there goes on, as the numbers of a button say; false where it cannot now.
export function goOn(button, kind, ...names) {
  const numbers = ['turn', ...names].map((key) => [key, Number(button.dataset[key])]);
  return goOnWith(kind, Object.fromEntries(numbers));
}

// The same, as is wanted of it.
export function goOnWith(kind, wanted) {
  if (state.run) {
    toast(say('notices.running'));
    return false;
  }
  state.run = name();
  pressedIn = document.activeElement?.closest('.turn')?.dataset.key || '';
  running(true);
  watch(kind, wanted);
  return true;
}

// A drawing of a turn; without `html` it only says that the connection stands.
function receive(drawing, handle, run) {
  if (run !== state.run) return;
  lastSign = Date.now();
  if (drawing.gone) {
    running(false);
    refresh();
    return;
  }
  keepWords('');
  if (drawing.html && handle === state.handle) show(drawing);
  if (drawing.ended) {
    running(false);
    afterwards();
  }
}

function show(drawing) {
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
  // The button that was pressed may be gone; whoever uses the keyboard goes on from its turn.
  if (pressedIn === key && isFocusLost()) existing?.focus({ preventScroll: true });
  followGraph(key);
  if (drawing.state === 'running') announceProgress(drawing.now);
  else announce(drawing.now || outcome(drawing));
  if (isFollowing()) toAnswer(drawing.turn);
  if (drawing.files) refreshFiles();
}

// What waited may run now.
async function afterwards() {
  const { handle } = state;
  try {
    const content = await call('GET', own('queue'));
    if (state.handle !== handle || state.run) return;
    takeStanding(content);
    if (content.run) follow(content.run);
  } catch { /* the next action says so */ }
}

const isFocusLost = () => {
  const { activeElement: at } = document;
  return !at || at === document.body || at.disabled || !at.checkVisibility();
};

const LONGEST_READ = 400;

// What came of it, for those who hear it: the answer itself, where it is short.
function outcome({ state: came, met, turn }) {
  if (came === 'cancelled') return say('turns.stopped');
  const words = find('turns').querySelector(`[data-key="turn-${turn}"] .answer`)?.innerText.trim();
  const isShort = words && words.length <= LONGEST_READ;
  if (!met) return [say('turns.not_done'), isShort && words].filter(Boolean).join(' ');
  if (!isShort) return say('notices.answered');
  return say('notices.answered_with', { answer: words });
}

// Where nothing has come for a while, the page looks for itself how things stand.
function lookAfter() {
  if (state.run && !waiting && Date.now() - lastSign > 8000) check();
}

let waiting = false;

// How a run stands is asked as soon as the server can be reached.
async function checkWhenReached(run) {
  if (waiting) return;
  waiting = true;
  await reached();
  waiting = false;
  if (state.run === run && !reading) check();
}

async function check() {
  const { run } = state;
  lastSign = Date.now();
  try {
    const content = await call('GET', own(), undefined, 8000);
    if (state.run !== run) return;
    if (content.run === run) return watch('follow');
    // A server that began anew goes on with it under another name.
    if (content.run) {
      running(false);
      return draw(content);
    }
    if (content.running) return;
    const shown = find('turns').querySelectorAll('.turn:not(.is-draft)').length;
    const taken = !find('draft') || content.turns.split('<article').length - 1 > shown;
    if (!taken) await call('POST', own('stop'), { run }); // it may still arrive
    running(false);
    draw(content);
    if (!taken) {
      giveBack();
      toast(say('notices.not_taken'), 'error');
    }
  } catch (error) {
    if (state.run !== run) return;
    if (!error.status) return checkWhenReached(run);
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

function running(now) {
  if (!now) {
    state.run = '';
    reading?.abort();
  }
  setRunning(now);
  find('app').classList.toggle('is-running', now);
  for (const button of document.querySelectorAll('[data-do=switch], [data-do=try-way], [data-do=keep-way], [data-do=take-back], [data-do=choose], [data-do=act], [data-do=resume]')) button.disabled = now;
}

async function stop() {
  find('stop').disabled = true;
  try {
    await call('POST', own('stop'), { run: state.run });
    announce(say('notices.stopping'));
  } catch (error) {
    failed(error);
  }
  find('stop').disabled = false;
}
