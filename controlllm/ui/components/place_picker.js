const { ARROWS, escape, patch } = window.controlllm;
const holder = element.querySelector('.clm');
let place = { x: 0.5, y: 0.5 };
const within = (share) => Math.min(0.999, Math.max(0, share));
const draw = () => {
  const { address, name, help } = props.value;
  if (!address) return holder.replaceChildren();
  patch(holder, `<button type="button" class="batch-sheet" autofocus aria-describedby="batch-point-help">
    <img src="${escape(address)}" alt="${escape(name)}">
    <span class="pin positive" style="left: ${place.x * 100}%; top: ${place.y * 100}%">+</span></button>
    <p class="quiet-words" id="batch-point-help">${escape(help)}</p>`);
};
let shown = 0; // what is asked may be told more than once
watch('value', () => {
  if (props.value.time !== shown) place = { x: 0.5, y: 0.5 };
  shown = props.value.time;
  draw();
  setTimeout(() => holder.querySelector('button')?.focus(), 0);
});
holder.addEventListener('click', (event) => {
  const sheet = event.target.closest('.batch-sheet');
  if (!sheet) return;
  // A click that the keyboard made has no place.
  if (event.detail) {
    const box = sheet.querySelector('img').getBoundingClientRect();
    place = { x: within((event.clientX - box.left) / box.width), y: within((event.clientY - box.top) / box.height) };
  }
  trigger('act', { ...props.value.given, ...place });
});
holder.addEventListener('keydown', (event) => {
  const step = ARROWS[event.key];
  if (!step) return;
  event.preventDefault();
  const far = event.shiftKey ? 0.005 : 0.03;
  place = { x: within(place.x + step[0] * far), y: within(place.y + step[1] * far) };
  draw();
});
