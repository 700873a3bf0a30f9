const { delegate, drawn, goOver } = window.controlllm;
const holder = element.querySelector('.clm');
let selected = '';

const mark = () => {
  for (const node of holder.querySelectorAll('g.node')) node.classList.toggle('is-selected', node.dataset.node === selected);
  for (const details of holder.querySelectorAll('[data-for]')) details.hidden = details.dataset.for !== selected;
};
const tell = (byKey = false) => {
  const { turn, handle } = props.value;
  trigger('node', { node: selected, turn, handle, by_key: byKey });
};
const select = (node, byKey = false) => {
  selected = node.classList.contains('is-selected') ? '' : node.dataset.node;
  mark();
  tell(byKey);
};
const nodeOf = (key) => key && holder.querySelector(`g.node[data-node="${CSS.escape(key)}"]`);

// A node that somebody is led to from elsewhere, as soon as its plan is drawn and to be seen; or none.
let led = 0;
const lead = (tries = 20) => {
  const { node, turn, time } = props.selected || {};
  if (!time || time === led) return;
  const wanted = nodeOf(node || selected);
  if (node && (turn !== props.value.turn || !wanted)) return;
  if (node && !wanted.getClientRects().length && tries) return setTimeout(lead, 50, tries - 1);
  led = time;
  selected = node;
  mark();
  tell();
  wanted?.scrollIntoView({ block: 'center', inline: 'center' });
  (wanted || holder.querySelector('.graph-scroll'))?.focus({ preventScroll: true });
};
let place = '';
watch('selected', () => lead());
drawn(element, props, watch, () => {
  const now = `${props.value.handle} ${props.value.turn}`;
  if (now !== place) {
    place = now;
    selected = '';
    if (props.value.turn >= 0) tell();
  }
  mark();
  lead();
});

holder.addEventListener('keydown', (event) => {
  goOver(event);
  if (event.key === 'Escape' && selected) {
    const was = nodeOf(selected);
    if (was) { select(was); was.focus(); }
  }
});
delegate(holder, (data) => trigger('act', { ...data, handle: props.value.handle }), (button, event) => {
  if (button.dataset.do !== 'node') return false;
  select(button, !event.detail);
  return true;
});
