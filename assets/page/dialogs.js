// Settings and toolbox.
import { open } from './conversation.js';
import { failed, toast } from './notices.js';
import { call, own } from './server.js';
import { find, state } from './state.js';

export function startDialogs(app) {
  find('toolbox-search').addEventListener('input', searchToolbox);
  find('settings-form').addEventListener('submit', saveSettings);
  for (const dialog of app.querySelectorAll('dialog')) {
    dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  }
  const theme = document.querySelector(`[name=theme][value=${window.controlllmTheme.wanted()}]`);
  if (theme) theme.checked = true;
}

export async function openSettings() {
  try {
    find('settings-form').innerHTML = await call('GET', own('settings'));
    find('settings').showModal();
  } catch (error) {
    failed(error);
  }
}

export async function saveSettings(event) {
  event?.preventDefault();
  const form = find('settings-form');
  const sent = event ? Object.fromEntries(new FormData(form)) : { forget: true };
  try {
    form.innerHTML = await call('POST', own('settings'), sent);
    find('settings-status').textContent = event ? 'Saved.' : 'No language model is used.';
  } catch (error) {
    find('settings-status').textContent = error.message;
  }
}

export async function forget() {
  if (state.run) return toast('One moment: a request is running. Stop it first.');
  if (!confirm('Delete this conversation with its files? This cannot be undone.')) return;
  try {
    await call('DELETE', own());
    find('settings').close();
    state.attached = [];
    history.replaceState(null, '', '/');
    await open('');
    toast('The conversation is deleted.');
  } catch (error) {
    failed(error);
  }
}

export async function openToolbox(tool = '') {
  try {
    find('toolbox-search').value = tool.replaceAll('_', ' ');
    find('toolbox-list').innerHTML = await call('GET', own('toolbox'));
    searchToolbox();
    find('toolbox').showModal();
    watchPulls();
  } catch (error) {
    failed(error);
  }
}

// Weights: each button asks the server and shows the tool's card anew.
export async function changeWeights(button, wish) {
  const name = button.dataset.tool;
  if (wish === 'remove' && !confirm('Remove these weights from this computer?')) return;
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
  card.outerHTML = html;
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

function searchToolbox() {
  const words = find('toolbox-search').value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const card of document.querySelectorAll('#toolbox .tool-card')) {
    const text = card.textContent.toLowerCase();
    card.hidden = !words.every((word) => text.includes(word));
  }
  for (const domain of document.querySelectorAll('#toolbox .domain')) {
    domain.hidden = !domain.querySelector('.tool-card:not([hidden])');
  }
}
