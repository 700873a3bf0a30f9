const { delegate, patch } = window.controlllm;
const AGAIN = 1000;
const holder = element.querySelector('.clm');
let parts = [];
let marks = [];
let timer = 0;
// What was pressed last in each panel: it gets the focus when that panel comes back.
const pressed = {};
const told = () => ({ ...props.value.given, panel: props.value.name });
const focus = (isNew) => {
  const first = isNew && holder.querySelector('[autofocus]');
  if (!first && holder.contains(document.activeElement)) return;
  const { do: name, recipe } = pressed[props.value.name] || {};
  const last = name && holder.querySelector(`[data-do="${name}"]${recipe ? `[data-recipe="${recipe}"]` : ''}`);
  (first || last || holder.querySelector('button, a, input'))?.focus();
};
// At once, whoever gives it the focus: what is typed a moment later takes the place of it all.
holder.addEventListener('focusin', ({ target }) => target.matches('[autofocus]') && target.select?.());
// Asks for what has changed, until nothing goes on any more; nothing while nobody sees it.
const look = async () => {
  const { time } = props.value;
  if (!document.hidden && element.closest('dialog')?.open) {
    const found = await server.look({ ...told(), do: 'panel', marks }).catch(() => null);
    if (props.value.time !== time || found?.error) return;
    if (found) {
      parts = found.parts.map((part, place) => part ?? parts[place]);
      ({ marks } = found);
      patch(holder, parts.join(''));
      if (!found.live) return;
    }
  }
  timer = setTimeout(look, AGAIN);
};
let shown = '';
const draw = () => {
  const isNew = shown !== props.value.name;
  shown = props.value.name;
  parts = [...props.value.parts];
  marks = [];
  clearTimeout(timer);
  patch(holder, parts.join(''));
  // The dialog around it opens with the same answer.
  if (shown) setTimeout(focus, 0, isNew);
  if (props.value.live) timer = setTimeout(look, AGAIN / 4);
};
watch('value', draw);
draw();

// A drawing in pixels, twice as fine as it is shown: the browser has the letters of all languages.
const save = async (href, name) => {
  const drawing = new Image();
  drawing.src = href;
  await drawing.decode();
  const sheet = document.createElement('canvas');
  sheet.width = 2 * drawing.naturalWidth;
  sheet.height = 2 * drawing.naturalHeight;
  sheet.getContext('2d').drawImage(drawing, 0, 0, sheet.width, sheet.height);
  const content = await new Promise((done) => { sheet.toBlob(done, 'image/png'); });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = `${name}.png`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
};
const saves = ({ dataset, parentElement }) => {
  if (dataset.do !== 'recipe-png') return false;
  save(parentElement.querySelector('a[href$="as=svg"]').href, dataset.name);
  return true;
};
delegate(holder, (data) => {
  pressed[props.value.name] = data;
  trigger('act', { ...told(), ...data });
}, saves);
