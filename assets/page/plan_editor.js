// A step of a drawn plan: looked at, changed, and what was changed run.
import { on } from './actions.js';
import { announce, failed } from './notices.js';
import { patch } from './patch.js';
import { goOnWith } from './run.js';
import { call, own } from './server.js';
import { state } from './state.js';
import { say } from './texts.js';

// What a person is changing, by the element that holds the editor of its turn.
const works = new WeakMap();

export function startPlanEditor(app) {
  app.addEventListener('keydown', pressed);
  app.addEventListener('change', ({ target }) => {
    if (target.dataset.edit && target.dataset.do !== 'edit-step') change(target);
  });
}

on({
  node: (node) => select(node),
  'leave-step': (button) => leave(button.closest('.plan-editor')),
  'edit-step': (button) => change(button),
  'undo-edit': async (button) => {
    const editor = button.closest('.plan-editor');
    workOf(editor).edits.pop();
    await draw(editor, { anew: true });
    announce(say('plan_editing.undone'));
  },
  'drop-edits': (button) => {
    const editor = button.closest('.plan-editor');
    works.delete(editor);
    editor.replaceChildren();
  },
  'run-edits': (button) => {
    const editor = button.closest('.plan-editor');
    if (!goOnWith('edit', { turn: Number(editor.dataset.turn), edits: workOf(editor).edits })) return;
    works.delete(editor);
    editor.replaceChildren();
  },
});

function workOf(editor) {
  if (!works.has(editor)) works.set(editor, { edits: [], selected: null, asked: 0 });
  return works.get(editor);
}

// A node is selected: what is known of it is shown, and what can be changed at its step.
async function select(node, byKey = false) {
  const graph = node.closest('.graph');
  const same = node.classList.contains('is-selected');
  for (const item of graph.querySelectorAll('.is-selected')) item.classList.remove('is-selected');
  for (const item of graph.querySelectorAll('[data-for]')) {
    item.hidden = same || item.dataset.for !== node.dataset.node;
  }
  const editor = node.closest('.how').querySelector('.plan-editor');
  const place = /(\d+)\.\d+\.(\d+)/.exec(node.dataset.node);
  if (same) return leave(editor, false);
  node.classList.add('is-selected');
  if (state.run && node.closest('.turn').dataset.state === 'running') return;
  workOf(editor).selected = place ? [Number(place[1]), Number(place[2])] : null;
  await draw(editor);
  if (byKey) editor.querySelector('.step-rows select, .step-rows textarea, .step-buttons button')?.focus();
}

// The step is left; changes that were made stay to be run or dropped.
function leave(editor, focus = true) {
  const how = editor.closest('.how');
  const selected = how.querySelector('.plan-editor .node.is-selected') || how.querySelector('.node.is-selected');
  for (const item of how.querySelectorAll('.node.is-selected')) item.classList.remove('is-selected');
  for (const item of how.querySelectorAll('[data-for]')) item.hidden = true;
  const work = workOf(editor);
  work.selected = null;
  editor.querySelector('.step-panel')?.remove();
  if (!work.edits.length) editor.replaceChildren();
  if (focus) selected?.focus();
}

// One more change, as a control says.
async function change(control) {
  const editor = control.closest('.plan-editor');
  const work = workOf(editor);
  const edit = JSON.parse(control.dataset.edit);
  if (edit.kind === 'give') edit.values = valuesOf(control);
  else if (control.dataset.field) {
    edit.tool = control.value;
    if (!edit.tool) return;
  }
  const last = work.edits.at(-1);
  const again = edit.kind === 'give' && last?.kind === 'give' && last.name === edit.name
    && last.position === edit.position && last.subtask === edit.subtask;
  const before = [...work.edits];
  if (again) work.edits.pop();
  work.edits.push(edit);
  const selected = work.selected;
  if (edit.kind === 'delete') work.selected = null;
  // A step that is put in is looked at next.
  if (await draw(editor, { fresh: edit.kind === 'insert' })) {
    announce(editor.querySelector('.step-changes li:last-child')?.textContent);
  } else {
    work.edits = before;
    work.selected = selected;
    draw(editor, { anew: true });
  }
}

function valuesOf(control) {
  if (control.dataset.field) {
    return [...control.selectedOptions].filter((item) => item.value).map((item) => JSON.parse(item.value));
  }
  return control.value.trim() ? [{ text: control.value }] : [];
}

// Draws the plan as it would be, `anew` where controls do not say any more what counts, and with
// the step that is `fresh`; false where the last change cannot be made.
async function draw(editor, { anew = false, fresh = false } = {}) {
  const work = workOf(editor);
  const mine = work.asked += 1;
  const { edits, selected } = work;
  if (!edits.length && !selected) {
    editor.replaceChildren();
    return true;
  }
  try {
    const wanted = { turn: Number(editor.dataset.turn), edits, selected: selected || [], fresh };
    const html = await call('POST', own('plan'), wanted);
    if (mine !== work.asked) return true;
    if (anew) editor.replaceChildren();
    patch(editor, html);
    follow(editor, work);
    return true;
  } catch (error) {
    if (mine === work.asked) failed(error);
    return false;
  }
}

// Steps have other places once others come and go: what is selected is known by its output.
function follow(editor, work) {
  const panel = editor.querySelector('.step-panel');
  work.selected = panel ? [Number(panel.dataset.subtask), panel.dataset.output] : null;
  for (const item of editor.querySelectorAll('.node.is-selected')) item.classList.remove('is-selected');
  for (const node of panel ? editor.querySelectorAll('.node-tool') : []) {
    const [subtask, , position] = node.dataset.node.split('.');
    if (subtask !== panel.dataset.subtask || position !== panel.dataset.position) continue;
    node.classList.add('is-selected');
    const scroll = node.closest('.graph-scroll');
    const [shown, inside] = [scroll.getBoundingClientRect(), node.getBoundingClientRect()];
    if (inside.right > shown.right) scroll.scrollLeft += inside.right - shown.right + 40;
    if (inside.left < shown.left) scroll.scrollLeft -= shown.left - inside.left + 40;
  }
}

function pressed(event) {
  const node = event.target.closest('g.node');
  const editor = event.target.closest('.plan-editor, .how')?.closest('.how')?.querySelector('.plan-editor');
  if (event.key === 'Escape' && editor && (node || event.target.closest('.step-panel'))) {
    if (editor.childElementCount || editor.closest('.how').querySelector('.node.is-selected')) {
      event.stopPropagation();
      leave(editor);
    }
    return;
  }
  if (!node) return;
  if (event.key === 'Enter' || event.key === ' ') {
    event.preventDefault();
    select(node, true);
  }
  const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (direction) {
    event.preventDefault();
    nearest(node, ...direction)?.focus();
  }
}

// The next node in a direction: near, and not far to the side.
function nearest(node, right, down) {
  const middle = (item) => {
    const { x, y, width, height } = item.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  const [x, y] = middle(node);
  let best = null;
  let least = Infinity;
  for (const other of node.closest('.graph').querySelectorAll('g.node')) {
    const [otherX, otherY] = middle(other);
    const along = (otherX - x) * right + (otherY - y) * down;
    const aside = Math.abs((otherX - x) * down) + Math.abs((otherY - y) * right);
    const cost = along + 2 * aside;
    if (other !== node && along > 4 && cost < least) [best, least] = [other, cost];
  }
  return best;
}
