// Marks are kept in the picture's own pixels; what they mean is asked each time that they change.
const { ARROWS, escape, say } = window.controlllm;
const holder = element.querySelector('.clm');
holder.classList.add('picker');
const at = (name) => holder.querySelector(`.picker-${name}`);
const PAGE = Math.random().toString(36).slice(2);

let picture = null; // { value, address, width, height }
let pictures = [];
let next = 1; // the number of what is kept next
let marks = []; // what was drawn, in order: points, boxes, strokes
let cross = null; // where the keyboard is
let drawing = null; // a box or stroke that is not finished yet; `keys` where the keyboard draws it
let found = null; // what the marks mean, as far as it is known
let turn = 0; // counts the questions what they mean
const kept = new Map(); // marks of pictures that were left for another one

const look = (wanted) => server.look({ handle: props.value.handle, page: PAGE, ...wanted })
  .catch(() => null).then((answer) => answer || { error: say('errors.no_answer') });
const tool = () => holder.querySelector('[name=picker-tool]:checked').value;
const isBrush = () => ['brush', 'eraser'].includes(tool());
const input = (name) => at(name).querySelector('input');
const tell = (words) => { if (at('status').textContent !== words) at('status').textContent = words; };
const saysSomething = () => marks.some((mark) => mark.kind === 'box' || mark.positive || (mark.kind === 'stroke' && !mark.erases));
const sent = () => ({
  points: marks.filter(({ kind }) => kind === 'point'),
  boxes: marks.filter(({ kind }) => kind === 'box'),
  strokes: marks.filter(({ kind }) => kind === 'stroke'),
});

// Shows a picture of the conversation, with the marks that were left on it.
const show = async (value) => {
  if (picture && marks.length) kept.set(picture.value, marks);
  picture = null;
  const asked = turn += 1;
  const wanted = await look({ do: 'pictures', image: value });
  if (asked !== turn) return;
  if (wanted.error) return tell(wanted.error);
  ({ pictures, next } = wanted);
  const mine = pictures.find((item) => item.value === value) || pictures[0];
  marks = kept.get(mine.value) || [];
  cross = drawing = null;
  input('zoom').value = 1;
  at('mask').hidden = true;
  const image = at('picture');
  image.onload = () => {
    picture = { ...mine, width: mine.width || image.naturalWidth, height: mine.height || image.naturalHeight };
    size();
    changed();
  };
  image.src = mine.address;
  image.alt = mine.value;
  holder.closest('dialog').querySelector('h2').textContent = say('pointing.title_in', { name: mine.value });
  at('pictures').innerHTML = pictures.map((item) => `<button type="button" data-value="${escape(item.value)}"
    title="${escape(item.value)}" aria-label="${escape(item.value)}" aria-pressed="${item === mine}">${item.thumbnail}</button>`).join('');
  showRegions(wanted.regions);
  toolChanged();
  at('stage').focus();
};

// The things that were pointed at in this picture before, with their numbers.
const showRegions = (regions) => {
  at('regions').innerHTML = regions.map(({ number, mask, x, y }) => `<img class="picker-layer" alt="" src="${mask}">
    <span class="chip-number region-${((number - 1) % 8) + 1}" style="left: ${x * 100}%; top: ${y * 100}%">${number}</span>`).join('');
};

// The picture fills the stage at zoom 1, also where it is only a few pixels wide.
const size = () => {
  if (!picture?.width) return;
  const stage = at('stage');
  const room = Math.min((stage.offsetWidth - 24) / picture.width, (stage.offsetHeight - 24) / picture.height);
  const scale = Math.max(room * Number(input('zoom').value), 1 / Math.max(picture.width, picture.height));
  at('sheet').style.width = `${Math.max(1, picture.width * scale)}px`;
  at('sheet').style.height = `${Math.max(1, picture.height * scale)}px`;
  at('sheet').classList.toggle('is-magnified', scale > 3);
  draw();
};
const zoomBy = (step) => {
  input('zoom').value = Number(input('zoom').value) + step;
  size();
};

const toolChanged = () => {
  at('brush').hidden = !isBrush();
  at('stage').classList.toggle('is-drawing', isBrush() || tool() === 'box');
  drawing = null;
  draw();
};

// Where an event is, in the picture's pixels; null beside the picture.
const placeOf = (event, anywhere = false) => {
  if (!picture) return null;
  const sheet = at('sheet').getBoundingClientRect();
  const x = (event.clientX - sheet.left) / sheet.width;
  const y = (event.clientY - sheet.top) / sheet.height;
  if (!anywhere && (x < 0 || y < 0 || x >= 1 || y >= 1)) {
    tell(say('pointing.beside'));
    return null;
  }
  const within = (share, side) => Math.min(side - 1, Math.max(0, Math.floor(share * side)));
  return { x: within(x, picture.width), y: within(y, picture.height) };
};
const clicked = (event, positive) => {
  const place = placeOf(event);
  if (place) add({ kind: 'point', ...place, positive });
};

const startDrawing = ({ x, y }, keys) => {
  const width = (Number(input('brush').value) / 100) * Math.max(picture.width, picture.height);
  drawing = isBrush()
    ? { kind: 'stroke', path: [[x, y]], width, erases: tool() === 'eraser', keys }
    : { kind: 'box', from: { x, y }, to: { x, y }, keys };
  draw();
};
const goOn = (place) => {
  if (drawing.kind === 'stroke') drawing.path.push([place.x, place.y]);
  else drawing.to = place;
  draw();
};
// A box from corner to corner; the pixels of both corners belong to it.
const boxOf = ({ from, to }) => ({
  kind: 'box',
  left: Math.min(from.x, to.x),
  top: Math.min(from.y, to.y),
  right: Math.max(from.x, to.x) + 1,
  bottom: Math.max(from.y, to.y) + 1,
});
const finish = () => {
  const { kind, path, width, erases } = drawing;
  const mark = kind === 'box' ? boxOf(drawing) : { kind, path, width, erases };
  drawing = null;
  if (kind === 'stroke' || Math.min(mark.right - mark.left, mark.bottom - mark.top) >= 2) return add(mark);
  draw();
  return tell(say('pointing.box_small'));
};
const add = (mark) => {
  marks.push(mark);
  changed();
};
const undo = () => {
  if (drawing) drawing = null;
  else marks.pop();
  changed();
};

const pressed = (event) => {
  if (!picture) return;
  const { width, height } = picture;
  if (!cross) cross = { x: Math.floor(width / 2), y: Math.floor(height / 2) };
  const step = ARROWS[event.key];
  const isFine = event.ctrlKey || event.metaKey;
  if (step) {
    if (event.shiftKey && !drawing) drawing = { kind: 'box', from: { ...cross }, to: { ...cross }, keys: true };
    const far = isFine ? 1 : Math.max(1, Math.round(Math.max(width, height) / 50));
    cross.x = Math.min(width - 1, Math.max(0, cross.x + step[0] * far));
    cross.y = Math.min(height - 1, Math.max(0, cross.y + step[1] * far));
    put(at('cross'), cross);
    at('cross').hidden = false;
    at('cross').scrollIntoView({ block: 'nearest', inline: 'nearest' });
    if (drawing?.keys) goOn({ ...cross });
    const box = drawing?.kind === 'box' && boxOf(drawing);
    tell(box ? say('pointing.box_at', { width: box.right - box.left, height: box.bottom - box.top, ...cross }) : say('pointing.at', cross));
  } else if (event.key === 'Enter' || event.key === ' ') {
    if (drawing?.keys) finish();
    else if (isBrush() || tool() === 'box') {
      startDrawing(cross, true);
      tell(say(isBrush() ? 'pointing.brush_down' : 'pointing.box_begun'));
    } else add({ kind: 'point', ...cross, positive: !event.shiftKey && tool() === 'positive' });
  } else if (event.key === 'Backspace' || (event.key === 'z' && isFine)) undo();
  else if (event.key === 'Escape' && drawing) {
    drawing = null;
    draw();
  } else if (event.key === '+' || event.key === '-') zoomBy(event.key === '+' ? 0.5 : -0.5);
  else return;
  event.preventDefault();
  event.stopPropagation();
};

const put = (item, point) => {
  item.style.left = `${((point.x + 0.5) / picture.width) * 100}%`;
  item.style.top = `${((point.y + 0.5) / picture.height) * 100}%`;
};

// The marks are others now: shows them, and finds out what they mean, first roughly, then for good.
const changed = async () => {
  found = null;
  draw();
  const mask = at('mask');
  mask.dataset.state = saysSomething() ? 'looking' : '';
  mask.hidden = mask.hidden || !saysSomething();
  if (!picture) return;
  const mine = turn += 1;
  const wanted = { do: 'glance', image: picture.value, marks: sent(), number: next };
  for (const whole of [false, true]) {
    const answer = await look({ ...wanted, whole, turn: mine });
    if (mine !== turn) return;
    if (answer.error) tell(answer.error);
    if (!answer.mask) return;
    found = answer;
    mask.src = answer.mask;
    mask.hidden = false;
    mask.dataset.state = answer.final ? 'final' : 'guess';
    tellMarks();
    if (answer.final) return;
  }
};

const draw = () => {
  const all = [...marks, ...(drawing ? [drawing.kind === 'box' ? boxOf(drawing) : drawing] : [])];
  if (picture) {
    at('marks').innerHTML = all.filter(({ kind }) => kind === 'point').map(({ x, y, positive }, place) => `<span
      class="pin ${positive ? 'positive' : 'negative'}" data-x="${x}" data-y="${y}" title="${place + 1}: ${x}, ${y}"
      style="left: ${((x + 0.5) / picture.width) * 100}%; top: ${((y + 0.5) / picture.height) * 100}%">${positive ? '+' : '−'}</span>`).join('');
    at('drawn').setAttribute('viewBox', `0 0 ${picture.width} ${picture.height}`);
    at('drawn').innerHTML = all.filter(({ kind }) => kind !== 'point').map(shapeOf).join('');
  }
  at('use').disabled = at('more').disabled = !saysSomething();
  at('undo').disabled = at('clear').disabled = !all.length;
  tellMarks();
};
const shapeOf = ({ kind, left, top, right, bottom, path, width, erases }) => {
  if (kind === 'box') {
    const sides = `x="${left}" y="${top}" width="${right - left}" height="${bottom - top}"`;
    return `<rect class="is-under" ${sides}/><rect class="drawn-box" ${sides}/>`;
  }
  // A stroke of one place is a dot.
  const places = path.length > 1 ? path : [path[0], [path[0][0] + 0.01, path[0][1]]];
  return `<polyline class="drawn-${erases ? 'eraser' : 'brush'}" stroke-width="${width}" points="${places.join(' ')}"/>`;
};

const tellMarks = () => {
  if (!marks.length) return tell(say('pointing.none'));
  const { points, boxes, strokes } = sent();
  const parts = [];
  if (points.length) {
    const positive = points.filter((point) => point.positive).length;
    const { x, y } = points[points.length - 1];
    parts.push(say('pointing.clicks', { positive, negative: points.length - positive, x, y }));
  }
  if (boxes.length) parts.push(say('pointing.boxes', { count: boxes.length }));
  if (strokes.length) parts.push(say('pointing.strokes', { count: strokes.length }));
  if (!saysSomething()) parts.push(say('pointing.nothing_positive'));
  else if (found) {
    const share = Math.max(1, Math.round(found.share * 100));
    parts.push(say(found.final ? 'pointing.found' : 'pointing.guessed', { name: found.name || say('pointing.a_thing'), share }));
  } else parts.push(say('pointing.looking'));
  return tell(parts.join(' '));
};

// Keeps what was pointed at; with `more` the next thing can be pointed at right away.
const keep = async (more) => {
  const { value } = picture;
  at('use').disabled = at('more').disabled = true;
  holder.setAttribute('aria-busy', 'true');
  const region = await look({ do: 'regions', image: value, marks: sent() });
  holder.removeAttribute('aria-busy');
  if (region.error) {
    draw();
    return tell(region.error);
  }
  kept.delete(value);
  if (picture?.value === value) marks = [];
  trigger('act', { do: 'use-pointed', value: region.value, of: value, handle: props.value.handle });
  if (!more) return holder.closest('dialog').close();
  const now = await look({ do: 'pictures', image: value });
  if (now.error) return tell(now.error);
  next = now.next;
  if (picture?.value !== value) return;
  showRegions(now.regions);
  await changed();
  tell(say('pointing.kept', { number: region.number }));
  return at('stage').focus();
};

const start = () => {
  const stage = at('stage');
  stage.addEventListener('click', (event) => {
    if (['positive', 'negative'].includes(tool())) clicked(event, !event.shiftKey && tool() === 'positive');
  });
  stage.addEventListener('contextmenu', (event) => {
    event.preventDefault();
    if (event.pointerType !== 'touch') clicked(event, false);
  });
  stage.addEventListener('pointerdown', (event) => {
    const place = event.button === 0 && (isBrush() || tool() === 'box') && placeOf(event);
    if (!place) return;
    stage.setPointerCapture(event.pointerId);
    startDrawing(place, false);
    event.preventDefault();
    stage.focus({ preventScroll: true });
  });
  stage.addEventListener('pointermove', (event) => {
    if (drawing && !drawing.keys && picture) goOn(placeOf(event, true));
  });
  stage.addEventListener('pointerup', () => drawing && !drawing.keys && finish());
  stage.addEventListener('pointercancel', () => { drawing = null; draw(); });
  stage.addEventListener('keydown', pressed);
  stage.addEventListener('blur', () => { at('cross').hidden = true; });
  stage.addEventListener('wheel', (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoomBy(event.deltaY < 0 ? 0.25 : -0.25);
  }, { passive: false });
  at('sheet').addEventListener('dragstart', (event) => event.preventDefault());
  at('undo').addEventListener('click', undo);
  at('clear').addEventListener('click', () => { marks = []; drawing = null; changed(); });
  input('zoom').addEventListener('input', size);
  at('use').addEventListener('click', () => keep(false));
  at('more').addEventListener('click', () => keep(true));
  for (const radio of holder.querySelectorAll('[name=picker-tool]')) radio.addEventListener('change', toolChanged);
  at('pictures').addEventListener('click', (event) => {
    const button = event.target.closest('[data-value]');
    if (button) show(button.dataset.value);
  });
  holder.closest('dialog').addEventListener('close', () => { kept.clear(); marks = []; picture = null; turn += 1; });
  new ResizeObserver(size).observe(stage);
};

watch('value', () => {
  const { parts, value, box } = props.value;
  if (!parts.length || !value) return;
  if (!holder.firstElementChild) {
    holder.innerHTML = parts.join('');
    start();
  }
  marks = [];
  kept.clear();
  if (box) kept.set(value, [{ kind: 'box', ...box }]);
  show(value);
});
