// What was pointed at, as words: a chip writes its number into the sentence, and "[" offers all.
import { on } from './actions.js';
import { colourOf } from './glance.js';
import { announce } from './notices.js';
import { escape, find, state } from './state.js';
import { say } from './texts.js';

let offered = [];
let chosen = 0;

export function startNumbered() {
  const words = find('words');
  words.addEventListener('input', offer);
  words.addEventListener('click', offer);
  words.addEventListener('blur', () => setTimeout(() => document.activeElement !== words && close(), 150));
  words.addEventListener('keydown', pressed, true);
  find('numbered').addEventListener('pointerdown', (event) => {
    const item = event.target.closest('[data-value]');
    if (!item) return;
    event.preventDefault();
    take(item.dataset.value);
  });
  on({ 'say-number': (button) => insert(button.dataset.value) });
}

export const isNumbered = (file) => Boolean(file?.number);

// What a numbered thing is, in a few words.
export function nameOf(file) {
  if (file.type === 'mask') return say('pointing.thing_in', { thing: file.thing || say('pointing.a_thing'), name: file.of });
  return say('pointing.part_of', { part: file.span, name: file.of });
}

export const badge = (file) => `<span class="chip-number region-${colourOf(file.number)}">${file.number}</span>`;

// Writes a number where the cursor is, with spaces where they are missing.
function insert(value) {
  const words = find('words');
  const { selectionStart: start, selectionEnd: end, value: text } = words;
  const before = text.slice(0, start);
  const after = text.slice(end);
  const space = before && !/\s$/.test(before) ? ' ' : '';
  const behind = after && /^\w/.test(after) ? ' ' : '';
  words.setRangeText(space + value + behind, start, end, 'end');
  words.dispatchEvent(new Event('input', { bubbles: true }));
  words.focus();
  close();
  announce(say('pointing.written', { value }));
}

// "[" and perhaps a digit or a word right before the cursor.
function begun() {
  const words = find('words');
  if (words.selectionStart !== words.selectionEnd) return null;
  return /\[([\w ]{0,20})$/.exec(words.value.slice(0, words.selectionStart));
}

function offer() {
  const found = begun();
  const wanted = found?.[1].toLowerCase() || '';
  offered = found ? [...state.files.values()].filter((file) => isNumbered(file)
    && (String(file.number).startsWith(wanted) || nameOf(file).toLowerCase().includes(wanted))) : [];
  chosen = 0;
  show();
}

function show() {
  const list = find('numbered');
  const words = find('words');
  list.hidden = !offered.length;
  if (!offered.length) return words.removeAttribute('aria-activedescendant');
  list.innerHTML = offered.map((file, index) => `<li role="option" id="numbered-${index}"
    aria-selected="${index === chosen}" data-value="${escape(file.value)}">${badge(file)}
    <span>${escape(nameOf(file))}</span></li>`).join('');
  words.setAttribute('aria-activedescendant', `numbered-${chosen}`);
}

function close() {
  offered = [];
  show();
}

function take(value) {
  const words = find('words');
  const found = begun();
  if (found) words.setSelectionRange(found.index, words.selectionStart);
  insert(value);
}

function pressed(event) {
  if (!offered.length || event.isComposing) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) {
    chosen = (chosen + step + offered.length) % offered.length;
    show();
  } else if (event.key === 'Enter' || event.key === 'Tab') take(offered[chosen].value);
  else if (event.key === 'Escape') close();
  else return;
  event.preventDefault();
  event.stopImmediatePropagation();
}
