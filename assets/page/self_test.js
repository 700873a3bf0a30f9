// The self-test: a fold of the toolbox, drawn anew each second while it goes on.
import { on } from './actions.js';
import { failed } from './notices.js';
import { call, own } from './server.js';
import { find } from './state.js';

const PAUSE = 1000;
let waiting = 0;

export function startSelfTest() {
  // This event does not rise by itself.
  find('toolbox-list').addEventListener('toggle', ({ target }) => {
    if (target.id === 'self-test' && target.open) watch();
  }, true);
  on({ 'self-test': change });
}

async function watch() {
  clearTimeout(waiting);
  const fold = find('self-test');
  if (!fold?.open || !find('toolbox').open) return;
  try {
    show(await call('GET', own('self-test')));
  } catch (error) {
    failed(error);
  }
}

async function change(button) {
  button.disabled = true;
  try {
    show(await call('POST', own('self-test'), { wish: button.dataset.wish }));
  } catch (error) {
    failed(error);
    button.disabled = false;
  }
}

function show(html) {
  const panel = find('self-test-panel');
  if (!panel) return;
  const focused = panel.contains(document.activeElement) && document.activeElement.dataset.do;
  panel.innerHTML = html;
  if (focused) panel.querySelector(`[data-do="${focused}"]`)?.focus({ preventScroll: true });
  clearTimeout(waiting);
  if (panel.querySelector('[data-goes-on=true]')) waiting = setTimeout(watch, PAUSE);
}
