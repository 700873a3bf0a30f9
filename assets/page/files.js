// The files of the conversation: searched, and given other names.
import { on } from './actions.js';
import { setWords } from './composer.js';
import { draw } from './conversation.js';
import { nameFor } from './asking.js';
import { toast } from './notices.js';
import { call, own } from './server.js';
import { find, state } from './state.js';
import { say } from './texts.js';

export function startFiles(app) {
  app.addEventListener('input', (event) => {
    if (event.target.id === 'files-search') filterFiles();
  });
  // As in other programs that show files: F2 on one names it anew.
  find('tray').addEventListener('keydown', (event) => {
    const item = event.target.closest('.tray-item');
    if (event.key === 'F2' && item) {
      event.preventDefault();
      openNaming(item.dataset.value);
    }
  });
}

// Shows the files only whose names, or kinds, have all the words in them.
export function filterFiles() {
  const words = (find('files-search')?.value || '').toLocaleLowerCase().split(/\s+/).filter(Boolean);
  let left = 0;
  for (const item of find('tray').querySelectorAll('.tray-item, .tray-batch')) {
    const said = `${item.dataset.value} ${item.textContent}`.toLocaleLowerCase();
    item.hidden = !words.every((word) => said.includes(word));
    left += !item.hidden;
  }
  for (const shelf of find('tray').querySelectorAll('.shelf')) {
    shelf.hidden = !shelf.querySelector(':is(.tray-item, .tray-batch):not([hidden])');
    const fold = shelf.querySelector('details');
    if (fold && words.length && !shelf.hidden) fold.open = true;
  }
  const none = find('tray').querySelector('.no-match');
  if (none) none.hidden = left > 0 || !words.length;
}

async function openNaming(old) {
  let content = null;
  const name = await nameFor({
    words: say('files.new_name', { name: old }),
    action: say('files.rename'),
    value: old,
    stem: true,
    take: async (wanted) => {
      if (wanted !== old) content = await call('POST', own('name'), { value: old, name: wanted });
    },
  });
  if (name === null || !content) return;
  const words = find('words');
  if (words.value.includes(`@${old}`)) setWords(words.value.replaceAll(`@${old}`, `@${content.name}`));
  state.attached = state.attached.map((value) => (value === old ? content.name : value));
  draw(content);
  toast(say('files.renamed', { old, name: content.name }));
  const item = find('tray').querySelector(`[data-value="${CSS.escape(content.name)}"]`);
  item?.querySelector('[data-do=rename-file]')?.focus();
}

on({ 'rename-file': (button) => openNaming(button.dataset.value) });
