const { delegate, patch } = window.controlllm;
const holder = element.querySelector('.clm');
let selected = '';
let shown = null;

const mark = () => {
  for (const node of holder.querySelectorAll('g.node')) node.classList.toggle('is-selected', node.dataset.node === selected);
  for (const details of holder.querySelectorAll('[data-for]')) details.hidden = details.dataset.for !== selected;
};
const draw = () => {
  const html = props.value.parts.join('');
  if (html === shown) return;
  patch(holder, shown = html);
  mark();
};
watch('value', draw);
draw();

const select = (node) => {
  selected = node.classList.contains('is-selected') ? '' : node.dataset.node;
  mark();
  trigger('node', { node: selected, turn: props.value.turn, handle: props.value.handle });
};
// The next node in a direction: near, and not far to the side.
const nearest = (node, right, down) => {
  const middle = (item) => {
    const { x, y, width, height } = item.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  const [x, y] = middle(node);
  let best = null;
  let least = Infinity;
  for (const other of holder.querySelectorAll('g.node')) {
    const [otherX, otherY] = middle(other);
    const along = (otherX - x) * right + (otherY - y) * down;
    const cost = along + 2 * (Math.abs((otherX - x) * down) + Math.abs((otherY - y) * right));
    if (other !== node && along > 4 && cost < least) [best, least] = [other, cost];
  }
  return best;
};
holder.addEventListener('keydown', (event) => {
  const node = event.target.closest('g.node');
  const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (node && direction) {
    event.preventDefault();
    nearest(node, ...direction)?.focus();
  }
  if (event.key === 'Escape' && selected) {
    const was = holder.querySelector(`g.node[data-node="${CSS.escape(selected)}"]`);
    if (was) { select(was); was.focus(); }
  }
});
delegate(holder, (data) => trigger('act', { ...data, handle: props.value.handle }), (button) => {
  if (button.dataset.do !== 'node') return false;
  select(button);
  return true;
});
