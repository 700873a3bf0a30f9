// The list of conversations: searched, named, deleted, shared.
import { on } from './actions.js';
import { open } from './conversation.js';
import { announce, failed, toast } from './notices.js';
import { patch } from './patch.js';
import { call, own } from './server.js';
import { escape, find, state } from './state.js';
import { say } from './texts.js';

const UNDO = 8000; // milliseconds in which a deleted conversation can be had back
const leaving = new Map(); // handles of those about to be deleted, each with what stops that
let conversations = [];
let found = null; // what is around the words searched for, by handle; null while nothing is

export function startRail() {
  let asked = 0;
  find('search').addEventListener('input', () => {
    clearTimeout(asked);
    asked = setTimeout(search, 150);
  });
  find('search').addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !event.target.value) return;
    event.stopPropagation();
    event.target.value = '';
    search();
  });
  // What a person deleted is not there any more when they come back.
  addEventListener('pagehide', () => leaving.forEach((_, handle) => {
    fetch(`/conversations/${handle}`, { method: 'DELETE', keepalive: true });
  }));
}

export function drawRail(content) {
  state.title = content.title;
  find('title').textContent = content.title;
  document.title = content.title === say('conversations.new') ? 'ControlLLM' : `${content.title} · ControlLLM`;
  conversations = content.conversations;
  list();
}

function list() {
  const shown = conversations.filter(({ handle }) => !leaving.has(handle) && (!found || found.has(handle)));
  const icon = find('trash-icon').innerHTML;
  patch(find('conversations'), '<ul>' + shown.map(({ handle, title }) => {
    const around = escape(found?.get(handle) || '');
    const words = escape(say('search.delete', { title }));
    return `<li data-key="${handle}"><button type="button" class="open" dir="auto" data-do="conversation"
      data-handle="${handle}" ${handle === state.handle ? 'aria-current="page"' : ''}>
      ${escape(title)}<small>${around}</small></button>
      <button type="button" class="quiet delete" data-do="delete" data-handle="${handle}"
        data-title="${escape(title)}" title="${words}" aria-label="${words}">${icon}</button></li>`;
  }).join('') + '</ul>');
}

let searches = 0;
async function search() {
  const words = find('search').value.trim();
  const mine = searches += 1;
  let told = '';
  try {
    const answer = words ? await call('GET', `/search?words=${encodeURIComponent(words)}`) : null;
    if (mine !== searches) return;
    found = answer && new Map(answer.found.map(({ handle, around }) => [handle, around]));
    if (found) told = found.size ? say('search.found', { count: found.size }) : say('search.none');
  } catch (error) {
    failed(error);
  }
  list();
  find('search-status').textContent = told;
  find('search-status').hidden = !told;
}

function remove(button) {
  const { handle, title } = button.dataset;
  const note = toast(say('search.deleted', { title }), 'info', UNDO);
  const undo = document.createElement('button');
  undo.type = 'button';
  undo.className = 'small';
  undo.textContent = say('search.undo');
  note.querySelector('button').before(undo);
  const end = setTimeout(async () => {
    try {
      const content = await call('DELETE', `/conversations/${handle}`);
      conversations = content.conversations;
    } catch (error) {
      if (error.status !== 404) failed(error);
    }
    leaving.delete(handle);
    note.remove();
    list();
  }, UNDO);
  leaving.set(handle, () => clearTimeout(end));
  undo.addEventListener('click', () => {
    leaving.get(handle)?.();
    leaving.delete(handle);
    note.remove();
    list();
    announce(say('search.restored', { title }));
  });
  list();
  if (handle === state.handle) {
    const next = conversations.find((item) => !leaving.has(item.handle));
    open(next?.handle || '', !next);
  }
  find('search').focus();
}

function rename() {
  const input = find('title-input');
  const title = find('title');
  input.value = title.textContent;
  input.hidden = false;
  title.hidden = true;
  input.focus();
  input.select();
  input.onkeydown = (event) => {
    if (event.key === 'Enter') input.blur();
    if (event.key === 'Escape') { input.value = title.textContent; input.blur(); }
  };
  input.onblur = async () => {
    input.hidden = true;
    title.hidden = false;
    if (input.value === title.textContent) return;
    try {
      drawRail(await call('POST', own('title'), { title: input.value }));
    } catch (error) {
      failed(error);
    }
  };
}

// The conversation as one file that needs nothing else.
async function share(button) {
  if (!document.querySelector('.turn:not(.is-draft)')) return toast(say('share.nothing'));
  button.disabled = true;
  const making = toast(say('share.making'), 'info', 120000);
  try {
    const file = new Blob([await call('GET', own('shared'))], { type: 'text/html' });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(file);
    link.download = `${state.title.replace(/[^\p{L}\p{N} ._-]+/gu, ' ').trim().slice(0, 60) || 'conversation'}.html`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    toast(say('share.ready'));
  } catch (error) {
    failed(error);
  }
  making.remove();
  button.disabled = false;
}

on({ delete: remove, rename, share });
