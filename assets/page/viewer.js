// Looks at one file in full.
import { pagesOf } from './pages.js';
import { canCut } from './cutter.js';
import { find, state } from './state.js';
import { say } from './texts.js';

export function openViewer(value) {
  const file = state.files.get(value);
  if (!file) return;
  const body = find('viewer-body');
  body.replaceChildren(shown(file), ...(file.pages ? [pagesOf(file, openViewer)] : []));
  find('viewer-title').textContent = value;
  find('viewer-download').href = `${file.address}&download=1`;
  find('viewer-download').download = value;
  find('viewer-attach').dataset.value = value;
  find('viewer-pick').dataset.value = value;
  find('viewer-pick').hidden = !file.picture && !canCut(file);
  if (!find('viewer').open) find('viewer').showModal();
}

function shown(file) {
  if (file.picture) {
    const image = document.createElement('img');
    image.src = file.address;
    image.alt = file.value;
    if (Math.max(file.width || 999, file.height || 999) < 200) image.className = 'is-magnified';
    return image;
  }
  if (file.type === 'audio' || file.type === 'video') {
    const player = document.createElement(file.type);
    player.controls = true;
    player.src = file.address;
    player.setAttribute('aria-label', file.value);
    return player;
  }
  if (file.type === 'html') {
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', '');
    frame.title = file.value;
    frame.src = file.address;
    return frame;
  }
  const text = document.createElement('pre');
  text.textContent = say('files.one_moment');
  fetch(file.address).then((answer) => answer.text()).then((words) => { text.textContent = words; });
  return text;
}
