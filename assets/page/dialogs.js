// Settings and toolbox.
import { on } from './actions.js';
import { sure } from './asking.js';
import { open } from './conversation.js';
import { drawLeaves } from './leaves.js';
import { failed, toast } from './notices.js';
import { call, own } from './server.js';
import { find, state } from './state.js';
import { say } from './texts.js';
import { countTools, rememberPlaces, searchToolbox, startToolboxSearch } from './toolbox_search.js';

export function startDialogs(app) {
  on({ 'test-model': testModel });
  startToolboxSearch();
  find('settings-form').addEventListener('submit', saveSettings);
  find('settings-form').addEventListener('change', ({ currentTarget }) => { currentTarget.dataset.changed = 'true'; });
  find('settings-form').addEventListener('invalid', (event) => {
    find('settings-status').textContent = '';
    show(event.target);
  }, true);
  for (const dialog of app.querySelectorAll('dialog')) {
    dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  }
  const theme = document.querySelector(`[name=theme][value=${window.controlllmTheme.wanted()}]`);
  if (theme) theme.checked = true;
}

// `field` is the name of the one that is wanted, if any.
export async function openSettings(field = '') {
  try {
    const form = find('settings-form');
    form.innerHTML = await call('GET', own('settings'));
    delete form.dataset.changed;
    find('settings').showModal();
    const wanted = field && form.elements[field];
    if (wanted) show(wanted);
  } catch (error) {
    failed(error);
  }
}

// Brings a field into view, with the fold that it is in opened.
function show(field) {
  const fold = field.closest('details');
  if (fold) fold.open = true;
  field.scrollIntoView({ block: 'center' });
  field.focus({ preventScroll: true });
}

export async function saveSettings(event) {
  event?.preventDefault();
  const form = find('settings-form');
  const sent = event ? Object.fromEntries(new FormData(form)) : { forget: true };
  try {
    form.innerHTML = await call('POST', own('settings'), sent);
    drawLeaves();
    delete form.dataset.changed;
    find('settings-status').textContent = say(event ? 'settings.saved' : 'language_model.none_used');
    return true;
  } catch (error) {
    find('settings-status').textContent = error.message;
    const wrong = [...form.querySelectorAll('[type=url]')].find(
      ({ value }) => value && !/^https?:\/\/./i.test(value.trim()),
    );
    if (wrong) show(wrong);
    return false;
  }
}

// The answer stands beside the button; nothing is saved.
async function testModel(button) {
  const status = find('model-status');
  button.disabled = true;
  status.textContent = say('language_model.testing');
  try {
    const sent = Object.fromEntries(new FormData(find('settings-form')));
    status.textContent = (await call('POST', own('settings/test'), sent)).said;
  } catch (error) {
    status.textContent = error.message;
  } finally {
    button.disabled = false;
  }
}

export async function forget() {
  if (state.run) return toast(say('notices.running_stop_first'));
  if (!await sure(say('conversations.delete_sure'), say('settings.delete_conversation'))) return;
  try {
    await call('DELETE', own());
    find('settings').close();
    state.attached = [];
    history.replaceState(null, '', '/');
    await open('');
    toast(say('conversations.deleted'));
  } catch (error) {
    failed(error);
  }
}

// The tools drawn anew below the folds, which stay as they are.
export async function redrawTools() {
  const fresh = document.createElement('template');
  fresh.innerHTML = await call('GET', own('toolbox'));
  for (const old of find('toolbox-list').querySelectorAll('.domain, #toolbox-count, #toolbox-found')) old.remove();
  find('toolbox-list').append(...fresh.content.querySelectorAll('.domain, #toolbox-count, #toolbox-found'));
  rememberPlaces();
  searchToolbox(find('toolbox-search').value);
}

export async function openToolbox(tool = '') {
  try {
    find('toolbox-list').innerHTML = await call('GET', own('toolbox'));
    rememberPlaces();
    const card = tool && find(`tool-${tool}`);
    find('toolbox-search').value = card ? card.querySelector('strong').textContent : '';
    searchToolbox(find('toolbox-search').value);
    find('toolbox').showModal();
    find('toolbox-list').scrollTop = 0;
    watchPulls();
  } catch (error) {
    failed(error);
  }
}

// Weights: each button asks the server and shows the tool's card anew.
export async function changeWeights(button, wish) {
  const name = button.dataset.tool;
  if (wish === 'remove' && !await sure(say('toolbox.remove_weights_sure'), say('toolbox.remove_weights'))) return;
  try {
    showCard(name, await call('POST', own(`toolbox/${name}`), { wish }));
    watchPulls();
  } catch (error) {
    failed(error);
  }
}

function showCard(name, html) {
  const card = find(`tool-${name}`);
  if (!card) return;
  const focused = card.contains(document.activeElement);
  const { hidden } = card;
  card.outerHTML = html;
  find(`tool-${name}`).hidden = hidden;
  countTools();
  if (focused) find(`tool-${name}`).querySelector('.pull button')?.focus();
}

let watching = false;

async function watchPulls() {
  if (watching) return;
  watching = true;
  try {
    while (find('toolbox').open) {
      const running = [...document.querySelectorAll('#toolbox .pull:has(progress)')];
      if (!running.length) break;
      await new Promise((resolve) => setTimeout(resolve, 1000));
      for (const { dataset } of running) {
        showCard(dataset.tool, await call('GET', own(`toolbox/${dataset.tool}`)));
      }
    }
  } catch (error) {
    failed(error);
  } finally {
    watching = false;
  }
}
