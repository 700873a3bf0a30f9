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

export async function openToolbox() {
  try {
    if (!find('toolbox-list').innerHTML) find('toolbox-list').innerHTML = await call('GET', '/toolbox');
    find('toolbox').showModal();
  } catch (error) {
    failed(error);
  }
}

function searchToolbox(event) {
  const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const card of document.querySelectorAll('#toolbox .tool-card')) {
    const text = card.textContent.toLowerCase();
    card.hidden = !words.every((word) => text.includes(word));
  }
  for (const domain of document.querySelectorAll('#toolbox .domain')) {
    domain.hidden = !domain.querySelector('.tool-card:not([hidden])');
  }
}
