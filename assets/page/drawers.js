// The lists at the sides: on narrow screens they are drawers, and at most one is open. What lies
// behind an open one cannot be reached, and whoever closes it is back where they opened it.
import { find } from './state.js';

const ROOM_FOR_ALL = '(min-width: 1241px)';
let opener = null;

export function startDrawers() {
  matchMedia(ROOM_FOR_ALL).addEventListener('change', () => drawer());
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.target.closest('dialog')) drawer();
  });
}

export function drawer(wanted = '') {
  const app = find('app');
  const next = app.dataset.drawer === wanted ? '' : wanted;
  if (next) app.dataset.drawer = next;
  else delete app.dataset.drawer;
  app.querySelector('.middle').inert = Boolean(next);
  for (const button of app.querySelectorAll('.top [aria-controls]')) {
    button.setAttribute('aria-expanded', String(button.getAttribute('aria-controls') === next));
  }
  if (next) {
    opener = document.querySelector(`.top [aria-controls="${next}"]`);
    find(next).querySelector('button')?.focus({ preventScroll: true });
  } else if (opener) {
    opener.focus({ preventScroll: true });
    opener = null;
  }
}
