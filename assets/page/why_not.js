// Asks why a tool is not in the ways of a part, as a person types its name.
import { call, own } from './server.js';
import { escape } from './state.js';

const PAUSE = 250;
let timer = 0;
let asked = 0;

export function startWhyNot(app) {
  app.addEventListener('input', ({ target }) => {
    if (!target.classList?.contains('why-search')) return;
    clearTimeout(timer);
    timer = setTimeout(() => ask(target), PAUSE);
  });
}

async function ask(field) {
  const answer = field.parentElement.querySelector('.why-answer');
  const mine = asked += 1;
  if (!field.value.trim()) {
    answer.replaceChildren();
    return;
  }
  answer.setAttribute('aria-busy', 'true');
  try {
    const { turn, subtask } = field.dataset;
    const wanted = { turn: Number(turn), subtask: Number(subtask), words: field.value };
    const html = await call('POST', own('why-not'), wanted);
    if (mine === asked) answer.innerHTML = html;
  } catch (error) {
    if (mine === asked) answer.innerHTML = `<p class="why">${escape(error.message)}</p>`;
  }
  answer.removeAttribute('aria-busy');
}
