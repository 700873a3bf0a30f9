const { delegate, escape, goOver, patch } = window.controlllm;
const holder = element.querySelector('.clm');
// What a person is changing, by the conversation and turn.
const works = new Map();
let work = null;

const begin = ({ handle, turn }) => {
  const key = `${handle} ${turn}`;
  work = works.get(key) || { key, handle, turn, edits: [], selected: null, asked: 0 };
  works.set(key, work);
};
const failed = (words) => {
  holder.querySelector('.failure')?.remove();
  holder.insertAdjacentHTML('afterbegin', `<p class="failure" role="alert">${escape(words)}</p>`);
  return false;
};
// Steps have other places once others come and go: what is selected is known by its output.
const follow = () => {
  const panel = holder.querySelector('.step-panel');
  work.selected = panel ? [Number(panel.dataset.subtask), panel.dataset.output] : null;
  for (const node of holder.querySelectorAll('g.node')) {
    const [subtask, , position] = node.dataset.node.split('.');
    const isMeant = panel && node.classList.contains('node-tool')
      && subtask === panel.dataset.subtask && position === panel.dataset.position;
    node.classList.toggle('is-selected', Boolean(isMeant));
    if (!isMeant) continue;
    const scroll = node.closest('.graph-scroll');
    const [shown, inside] = [scroll.getBoundingClientRect(), node.getBoundingClientRect()];
    if (inside.right > shown.right) scroll.scrollLeft += inside.right - shown.right + 40;
    if (inside.left < shown.left) scroll.scrollLeft -= shown.left - inside.left + 40;
  }
};
// Draws the plan as it would be, `anew` where controls do not say any more what counts, and with the
// step that is `fresh`; false where the last change cannot be made.
const draw = async ({ anew = false, fresh = false, runs = false } = {}) => {
  const mine = work;
  const { edits, selected, handle, turn } = mine;
  const number = mine.asked += 1;
  let html = '';
  if (edits.length || selected) {
    const found = await server.look({ do: 'plan', handle, turn, edits, selected: selected || [], fresh, runs });
    if (mine !== work || number !== mine.asked) return true;
    if (found.error !== undefined) return failed(found.error);
    html = found.html;
  }
  if (anew) holder.replaceChildren();
  patch(holder, html);
  follow();
  return true;
};
const valuesOf = (control) => {
  if (control.dataset.field) {
    return [...control.selectedOptions].filter((item) => item.value).map((item) => JSON.parse(item.value));
  }
  return control.value.trim() ? [{ text: control.value }] : [];
};
// One more change, as a control says.
const change = async (control) => {
  const edit = JSON.parse(control.dataset.edit);
  if (edit.kind === 'give') edit.values = valuesOf(control);
  else if (control.dataset.field) {
    edit.tool = control.value;
    if (!edit.tool) return;
  }
  const mine = work;
  const before = { edits: mine.edits, selected: mine.selected };
  const last = mine.edits.at(-1);
  const again = edit.kind === 'give' && last?.kind === 'give' && last.name === edit.name
    && last.position === edit.position && last.subtask === edit.subtask;
  mine.edits = [...(again ? mine.edits.slice(0, -1) : mine.edits), edit];
  if (edit.kind === 'delete') mine.selected = null;
  // A step that is put in is looked at next.
  if (await draw({ fresh: edit.kind === 'insert' })) return;
  const said = holder.querySelector('.failure').textContent;
  Object.assign(mine, before);
  await draw({ anew: true });
  failed(said);
};
// The step is left; changes that were made stay to be run or dropped.
const leave = async () => {
  const node = holder.querySelector('g.node.is-selected')?.dataset.node;
  work.selected = null;
  if (!work.edits.length) return trigger('left');
  await draw();
  holder.querySelector(`g.node[data-node="${CSS.escape(node)}"]`)?.focus();
};
const drop = () => {
  works.delete(work.key);
  begin(work);
  holder.replaceChildren();
  trigger('left');
};
const ACTIONS = {
  'edit-step': change,
  'leave-step': leave,
  node: (node) => {
    const place = /(\d+)\.\d+\.(\d+)/.exec(node.dataset.node);
    work.selected = place && !node.classList.contains('is-selected') ? [Number(place[1]), Number(place[2])] : null;
    draw();
  },
  'undo-edit': async () => {
    work.edits = work.edits.slice(0, -1);
    await draw({ anew: true });
    (holder.querySelector('[data-do=undo-edit]') || holder.querySelector('.step-panel select'))?.focus();
  },
  'drop-edits': drop,
  'run-edits': async () => {
    const { turn, handle, edits } = work;
    if (!await draw({ runs: true })) return;
    drop();
    trigger('act', { do: 'run-edits', turn, handle, edits });
  },
};
watch('step', async () => {
  begin(props.step);
  const place = /(\d+)\.\d+\.(\d+)/.exec(props.step.node);
  work.selected = place ? [Number(place[1]), Number(place[2])] : null;
  await draw();
  if (props.step.by_key && place) holder.querySelector('.step-rows :is(select, textarea), .step-buttons button')?.focus();
});
holder.addEventListener('change', ({ target }) => target.dataset.edit && change(target));
holder.addEventListener('keydown', (event) => {
  goOver(event);
  if (event.key === 'Escape' && work?.selected) leave();
});
delegate(holder, (data) => trigger('act', data), (button) => {
  const own = ACTIONS[button.dataset.do];
  own?.(button);
  return Boolean(own);
});
