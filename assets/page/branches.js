// Asking anew what was asked before: in other words, or again; and going from branch to branch.
import { on } from './actions.js';
import { attach, setWords } from './composer.js';
import { draw } from './conversation.js';
import { announce, failed, toast } from './notices.js';
import { ask } from './run.js';
import { call, own } from './server.js';
import { find, state } from './state.js';
import { say } from './texts.js';

export function startBranches() {
  find('stop-editing').addEventListener('click', () => { edit(null); setWords(''); });
  find('words').addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && state.editing) find('stop-editing').click();
    // As in a terminal: up from the empty line is what was said last.
    if (event.key === 'ArrowUp' && !event.target.value) lastMessage()?.click();
  });
  find('turns').addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const group = step && event.target.closest('.branches');
    if (!group) return;
    const toEnd = getComputedStyle(group).direction === 'rtl' ? -step : step;
    group.querySelector(`[data-step="${toEnd}"]:not(:disabled)`)?.click();
  });
}

const lastMessage = () => [...find('turns').querySelectorAll('[data-do=edit-message]')].pop();

// The next message is sent in place of another, or is one as always.
function edit(editing) {
  state.editing = editing;
  find('editing').hidden = !editing;
  if (!editing) return;
  find('editing-words').textContent = say(editing.waiting ? 'branches.editing_waiting' : 'branches.editing');
  setWords(editing.words);
  state.attached = [];
  editing.attached.forEach((value) => attach(value, true));
  find('words').focus();
  announce(find('editing-words').textContent);
}

const told = ({ dataset }) => ({
  turn: Number(dataset.turn),
  after: Number(dataset.follows),
  words: dataset.words,
  attached: dataset.attached ? JSON.parse(dataset.attached) : [],
});

async function show(button) {
  if (state.run) return toast(say('branches.running'));
  const step = button.dataset.step;
  try {
    draw(await call('POST', own('branch'), { turn: Number(button.dataset.turn) }));
    announce(say('branches.shown'));
    const next = find('turns').querySelector(`[data-key="turn-${button.dataset.turn}"] .branches`);
    (next?.querySelector(`[data-step="${step}"]:not(:disabled)`) || next?.querySelector('button:not(:disabled)'))?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  } catch (error) {
    failed(error);
  }
}

on({
  branch: show,
  'edit-message': (button) => (state.run ? toast(say('branches.running')) : edit(told(button))),
  'ask-again': (button) => {
    if (state.run) return toast(say('branches.running'));
    const { turn, after, words, attached } = told(button);
    state.editing = { turn, after };
    ask(words, attached);
  },
  'edit-waiting': (button) => edit({ ...told(button), waiting: button.dataset.name }),
});
