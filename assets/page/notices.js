// Short messages at the edge of the page, and words for screen readers.
import { find } from './state.js';
import { say } from './texts.js';

const opened = []; // the dialogs that are open, the one in front last

// A dialog makes everything outside it unreachable, for screen readers as well, and covers it. So
// what is told lies in the dialog in front, and before it.
export function startNotices(app) {
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      if (target.nodeName !== 'DIALOG') continue;
      if (opened.includes(target)) opened.splice(opened.indexOf(target), 1);
      if (target.open) opened.push(target);
    }
    const place = opened.at(-1) || app;
    if (find('toasts').parentNode !== place) bring(place);
  }).observe(app, { subtree: true, attributes: true, attributeFilter: ['open'] });
  bring(app);
}

function bring(place) {
  place.append(find('toasts'), find('announce'));
  find('toasts').showPopover();
}

// `lasts` is how many milliseconds it stays, 0 until it is removed.
export function toast(words, kind = 'info', lasts = kind === 'error' ? 12000 : 6000) {
  const note = document.createElement('p');
  note.className = `toast is-${kind}`;
  note.textContent = words;
  const close = document.createElement('button');
  close.type = 'button';
  close.setAttribute('aria-label', say('notices.close'));
  close.textContent = '×';
  close.addEventListener('click', () => note.remove());
  note.append(close);
  find('toasts').append(note);
  if (lasts) setTimeout(() => note.remove(), lasts);
  return note;
}

export const failed = (error) => toast(error.message, 'error');

// How far it is, for screen readers: the newest at most every so often, so that they keep up.
const BETWEEN = 3000;
let coming = '';
let later = 0;
let told = 0;
export function announceProgress(words) {
  coming = words;
  const wait = told + BETWEEN - Date.now();
  if (wait <= 0) announce(words);
  else later ||= setTimeout(() => announce(coming), wait);
}

let last = '';
export function announce(words) {
  clearTimeout(later);
  later = 0;
  told = Date.now();
  if (!words || words === last) return;
  last = words;
  find('announce').textContent = words;
}
