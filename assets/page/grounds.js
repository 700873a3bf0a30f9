// Pieces of an answer lead to the step, and to the box in the picture, that they rest on.
import { ACTIONS, on } from './actions.js';
import { find } from './state.js';

export function startGrounds() {
  const turns = find('turns');
  for (const sign of ['mouseover', 'focusin']) {
    turns.addEventListener(sign, (event) => point(event.target.closest('.ground')));
  }
  for (const sign of ['mouseout', 'focusout']) turns.addEventListener(sign, () => point(null));
  turns.addEventListener('keydown', (event) => {
    const mark = event.target.closest('.ground');
    if (!mark || (event.key !== 'Enter' && event.key !== ' ')) return;
    event.preventDefault();
    lead(mark);
  });
}

const nodeOf = (mark) =>
  mark.closest('.turn').querySelector(`g.node-tool[data-node="${CSS.escape(mark.dataset.step)}"]`);

function point(mark) {
  for (const meant of find('turns').querySelectorAll('.is-meant')) meant.classList.remove('is-meant');
  if (!mark) return;
  nodeOf(mark)?.classList.add('is-meant');
  const { figure, region } = mark.dataset;
  if (!figure) return;
  const shown = mark.closest('.turn').querySelector(`.results figure[data-key="${CSS.escape(figure)}"]`);
  shown?.classList.add('is-meant');
  if (region !== undefined) shown?.querySelectorAll('.marks rect')[region]?.classList.add('is-meant');
}

function lead(mark) {
  const node = nodeOf(mark);
  if (!node) return;
  const fold = node.closest('details');
  fold.open = fold.touched = true;
  if (!node.classList.contains('is-selected')) ACTIONS.node(node);
  node.scrollIntoView({ block: 'center', inline: 'center' });
  node.focus({ preventScroll: true });
}

on({ ground: lead });
