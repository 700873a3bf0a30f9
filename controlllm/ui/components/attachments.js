const { delegate, escape, patch, ready, say } = window.controlllm;
const holder = element.querySelector('.clm');
const list = document.createElement('ul');
list.className = 'mentions';
list.id = 'mentions';
list.setAttribute('role', 'listbox');
list.hidden = true;
const chips = document.createElement('div');
holder.append(list, chips);
// Gradio names its own buttons in English alone, and puts them in anew as they change.
const NAMES = {
  textarea: 'composer.request', '.upload-button': 'composer.add_files', '.microphone-button': 'composer.record',
  '.submit-button': 'composer.send', '.stop-button': 'composer.stop',
};
const nameAll = () => {
  for (const [part, key] of Object.entries(NAMES)) {
    for (const item of document.querySelectorAll(`#words ${part}`)) item.setAttribute('aria-label', say(key));
  }
};
ready.then(() => list.setAttribute('aria-label', say('composer.mentions')));
const draw = () => patch(chips, props.value.parts.join(''));
watch('value', draw);
draw();

const MOST = 8;
const KEPT = 'words';
const field = () => document.querySelector('#words textarea');
let found = [];
let chosen = 0;
let begin = -1;

const close = () => {
  begin = -1;
  list.hidden = true;
  field()?.removeAttribute('aria-activedescendant');
};
const write = (text, caret) => {
  const words = field();
  words.value = text;
  words.dispatchEvent(new Event('input', { bubbles: true }));
  words.focus();
  words.setSelectionRange(caret, caret);
};
const show = () => {
  list.hidden = false;
  list.innerHTML = found.map((file, place) => `<li role="option" id="mention-${place}" data-place="${place}"
    aria-selected="${place === chosen}">${file.number ? `<b class="chip-number">${file.number}</b>` : file.thumbnail}
    <span dir="auto">${escape(file.words)}</span></li>`).join('');
  list.children[chosen].scrollIntoView({ block: 'nearest' });
  field().setAttribute('aria-activedescendant', `mention-${chosen}`);
};
// What stands between the sign and the caret, which may be several words.
const look = () => {
  const words = field();
  const before = words.value.slice(0, words.selectionStart);
  const sign = Math.max(before.lastIndexOf('@'), before.lastIndexOf('['));
  const told = before.slice(sign + 1).toLocaleLowerCase();
  if (sign < 0 || /[\p{L}\p{N}.]/u.test(before[sign - 1] || '') || /[\n\]]/.test(told)) return close();
  const numbered = before[sign] === '[';
  const offered = props.files.filter((file) => (numbered ? file.number : file.type !== 'point'));
  if (!numbered) offered.reverse();
  const says = (file) => (numbered ? `${file.number} ${file.words}` : file.value).toLocaleLowerCase();
  const order = [(said) => said.startsWith(told), (said) => said.includes(` ${told}`), (said) => said.includes(told)];
  found = [...new Set(order.flatMap((fits) => offered.filter((file) => fits(says(file)))))].slice(0, MOST);
  if (!found.length || found.some((file) => file.value.toLocaleLowerCase() === told)) return close();
  begin = sign;
  chosen = 0;
  show();
};
const take = (place) => {
  const words = field();
  const { value, number } = found[place];
  const head = words.value.slice(0, begin) + (number ? value : `@${value}`);
  const rest = words.value.slice(words.selectionStart);
  close();
  write(`${head}${/^\s/.test(rest) ? '' : ' '}${rest}`, head.length + 1);
  trigger('act', { do: 'attach', value });
};
const keep = () => {
  const words = field()?.value;
  if (words) sessionStorage.setItem(KEPT, words);
  else sessionStorage.removeItem(KEPT);
};
document.addEventListener('input', ({ target }) => {
  if (target !== field()) return;
  keep();
  look();
});
// Else a file that was chosen last could not be chosen again.
document.addEventListener('change', ({ target }) => {
  if (target.matches('#words input[type=file]')) setTimeout(() => { target.value = ''; });
});
// Whoever pressed a chip meanwhile is back in the field and may have opened the list anew.
document.addEventListener('focusout', ({ target }) => {
  if (target === field()) setTimeout(() => document.activeElement === field() || close(), 150);
});
document.addEventListener('keydown', (event) => {
  if (event.target !== field() || event.isComposing) return;
  // As in a terminal: up from the empty line is what was said last.
  if (event.key === 'ArrowUp' && !event.target.value) {
    [...document.querySelectorAll('[data-do=edit-message]')].pop()?.click();
    return;
  }
  if (begin < 0) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) {
    chosen = (chosen + step + found.length) % found.length;
    show();
  } else if (event.key === 'Enter' || event.key === 'Tab') take(chosen);
  else if (event.key === 'Escape') close();
  else return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
list.addEventListener('mousedown', (event) => {
  const option = event.target.closest('[data-place]');
  event.preventDefault();
  if (option) take(Number(option.dataset.place));
});
// Words that were never sent come back after a reload.
const restore = (tries) => {
  if (!field() && tries) return setTimeout(restore, 200, tries - 1);
  const kept = sessionStorage.getItem(KEPT);
  ready.then(nameAll);
  if (field()) new MutationObserver(nameAll).observe(document.querySelector('#words'), { childList: true, subtree: true });
  if (kept && field() && !field().value) write(kept, kept.length);
  // What empties the field when a message was sent tells nobody.
  setInterval(keep, 1000);
};
restore(50);
delegate(chips, (data) => {
  if (data.do !== 'say-number') return trigger('act', data);
  const words = field();
  const at = words.selectionStart;
  const before = words.value.slice(0, at);
  const text = `${before && !/\s$/.test(before) ? ' ' : ''}${data.value}`;
  write(before + text + words.value.slice(at), at + text.length);
});
