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

// A file's name where there is little room: like names differ at their ends, so the middle is left
// out; all of it is there for screen readers. The same as `name_label` of the server's drawings.
export function nameLabel(name, most = 28) {
  if (name.length <= most) return escape(name);
  const end = Math.floor(most / 2);
  const cut = `${name.slice(0, most - end - 1).trimEnd()}…${name.slice(-end).trimStart()}`;
  return `<span class="name-cut" aria-hidden="true" title="${escape(name)}">${escape(cut)}</span>`
    + `<span class="name-whole for-screen-readers">${escape(name)}</span>`;
}

export function escape(text) {
  const holder = document.createElement('span');
  holder.textContent = text;
  return holder.innerHTML.replaceAll('"', '&quot;');
}
