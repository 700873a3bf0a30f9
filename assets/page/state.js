// What every part of the page shares: the conversation shown, its files, the run in progress.
export const state = {
  handle: '',
  files: new Map(),
  attached: [],
  run: '',
  mark: '',
  title: '',
  editing: null,
};

export const find = (id) => document.getElementById(id);

export const name = () => Math.random().toString(36).slice(2) + Date.now().toString(36);

export function escape(text) {
  const holder = document.createElement('span');
  holder.textContent = text;
  return holder.innerHTML.replaceAll('"', '&quot;');
}
