// Short messages at the edge of the page, and words for screen readers.
import { find } from './state.js';
import { say } from './texts.js';

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
  setTimeout(() => note.remove(), lasts);
  return note;
}

export const failed = (error) => toast(error.message, 'error');

let last = '';
export function announce(words) {
  if (!words || words === last) return;
  last = words;
  find('announce').textContent = words;
}
