// Calls files by their names in the words of a request: "@" opens a list of them.
import { attach, grow, keepWords } from './composer.js';
import { announce } from './notices.js';
import { escape, find, state } from './state.js';
import { say } from './texts.js';

const MOST_SHOWN = 8;
let found = [];
let chosen = 0;
let begin = -1;

export function startMentions() {
  const words = find('words');
  words.addEventListener('input', look);
  words.addEventListener('click', look);
  words.addEventListener('blur', () => setTimeout(close, 150));
  words.addEventListener('keydown', pressed, true);
  find('mentions').addEventListener('mousedown', (event) => {
    const option = event.target.closest('[role=option]');
    event.preventDefault();
    if (option) take(Number(option.dataset.place));
  });
}

// What stands between an "@" and the caret, which may be several words.
function look() {
  const words = find('words');
  const before = words.value.slice(0, words.selectionStart);
  const sign = before.lastIndexOf('@');
  const told = sign < 0 ? '' : before.slice(sign + 1);
  const opens = sign >= 0 && !/[\p{L}\p{N}.]/u.test(before[sign - 1] || '') && !told.includes('\n');
  if (!opens) return close();
  const asked = told.toLocaleLowerCase();
  const names = [...state.files.values()].filter((file) => file.type !== 'point').reverse();
  const fits = (file) => file.value.toLocaleLowerCase();
  found = [
    ...names.filter((file) => fits(file).startsWith(asked)),
    ...names.filter((file) => fits(file).includes(` ${asked}`)),
    ...names.filter((file) => fits(file).includes(asked)),
  ];
  found = [...new Set(found)].slice(0, MOST_SHOWN);
  if (!found.length || found.some((file) => fits(file) === asked)) return close();
  if (begin !== sign) announce(say('composer.mentions_found', { count: found.length }));
  begin = sign;
  chosen = 0;
  draw();
}

function draw() {
  const list = find('mentions');
  list.hidden = false;
  list.innerHTML = found.map((file, place) =>
    `<li role="option" id="mention-${place}" data-place="${place}" aria-selected="${place === chosen}">
      ${file.thumbnail}<span dir="auto">${escape(file.value)}</span></li>`).join('');
  list.children[chosen].scrollIntoView({ block: 'nearest' });
  find('words').setAttribute('aria-activedescendant', `mention-${chosen}`);
}

function close() {
  begin = -1;
  find('mentions').hidden = true;
  find('words').removeAttribute('aria-activedescendant');
}

function pressed(event) {
  if (begin < 0 || event.isComposing) return;
  const steps = { ArrowDown: 1, ArrowUp: -1 };
  if (event.key in steps) {
    chosen = (chosen + steps[event.key] + found.length) % found.length;
    draw();
  } else if (event.key === 'Enter' || event.key === 'Tab') {
    take(chosen);
  } else if (event.key === 'Escape') {
    close();
  } else {
    return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
}

function take(place) {
  const words = find('words');
  const name = found[place].value;
  const head = `${words.value.slice(0, begin)}@${name}`;
  const rest = words.value.slice(words.selectionStart);
  const joint = /^\s/.test(rest) ? '' : ' ';
  words.value = head + joint + rest;
  words.setSelectionRange(head.length + 1, head.length + 1);
  close();
  grow();
  keepWords(words.value);
  attach(name, true);
  announce(say('composer.added', { name }));
}
