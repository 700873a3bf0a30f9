// Changes what is shown into what shall be shown, touching only what differs: players go on
// playing, folds stay as the person left them, and what has the focus keeps it.

export function patch(container, html) {
  const wanted = document.createElement('template');
  wanted.innerHTML = html;
  children(container, wanted.content);
}

export function patchOne(element, html) {
  const wanted = document.createElement('template');
  wanted.innerHTML = html;
  const next = wanted.content.firstElementChild;
  if (element.isEqualNode(next)) return element;
  return node(element, next);
}

const keyOf = (item) => (item.nodeType === 1 ? item.getAttribute('data-key') : null);

function alike(old, next) {
  if (old.nodeType !== next.nodeType || old.nodeName !== next.nodeName) return false;
  return keyOf(old) === keyOf(next);
}

function node(old, next) {
  if (!alike(old, next)) {
    old.replaceWith(next);
    return next;
  }
  if (old.nodeType !== 1) {
    if (old.data !== next.data) old.data = next.data;
    return old;
  }
  // What scripts have filled themselves is theirs.
  if (old.hasAttribute('data-mine')) return old;
  attributes(old, next);
  // A player or frame of the same source is left alone.
  if (!['AUDIO', 'VIDEO', 'IFRAME'].includes(old.nodeName)) children(old, next);
  return old;
}

function attributes(old, next) {
  // `open` and `hidden` of these belong to the person after the first time.
  const kept = new Set();
  if (old.nodeName === 'DETAILS') {
    kept.add('open');
    const wish = next.hasAttribute('open');
    if (old.wish !== undefined && old.wish !== wish && !old.touched) old.open = wish;
    old.wish = wish;
  }
  if (old.hasAttribute('data-for')) kept.add('hidden');
  // What a script of the page keeps up to date itself.
  for (const name of (old.dataset.keeps || '').split(' ')) kept.add(name);
  if (old.nodeName === 'SELECT') kept.add('value');
  for (const { name, value } of [...next.attributes]) {
    if (name === 'class' && old.classList.contains('is-selected')) {
      old.setAttribute('class', value + ' is-selected');
    } else if (!kept.has(name) && old.getAttribute(name) !== value) {
      old.setAttribute(name, value);
    }
  }
  for (const { name } of [...old.attributes]) {
    if (!kept.has(name) && !next.hasAttribute(name)) old.removeAttribute(name);
  }
}

function children(old, next) {
  const keyed = new Map();
  for (const item of old.childNodes) if (keyOf(item)) keyed.set(keyOf(item), item);
  let place = old.firstChild;
  for (const wanted of [...next.childNodes]) {
    const key = keyOf(wanted);
    let match = key ? keyed.get(key) : null;
    if (match && !alike(match, wanted)) match = null;
    if (!match && !key && place && !keyOf(place) && alike(place, wanted)) match = place;
    if (match) {
      if (key) keyed.delete(key);
      if (match === place) place = place.nextSibling;
      else old.insertBefore(match, place);
      if (!match.isEqualNode(wanted)) node(match, wanted);
      else if (match.nodeName === 'DETAILS') match.wish = wanted.hasAttribute('open');
    } else {
      old.insertBefore(wanted, place);
      remember(wanted);
    }
  }
  while (place) {
    const gone = place;
    place = place.nextSibling;
    gone.remove();
  }
}

// Folds that arrive remember how they were meant to be.
function remember(element) {
  if (element.nodeType !== 1) return;
  const folds = element.nodeName === 'DETAILS' ? [element] : [];
  for (const fold of [...folds, ...element.querySelectorAll('details')]) fold.wish = fold.open;
}
