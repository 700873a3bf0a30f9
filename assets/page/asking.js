// Asks back in a dialog of the page's own: whether somebody means it, or for a name. What had the
// focus gets it back when the dialog closes.
import { find } from './state.js';

let asked = null; // what is asked now: what takes the answer, and what looks at it first

export function startAsking() {
  find('asking-form').addEventListener('submit', answer);
  find('asking').addEventListener('close', ({ target }) => target.open || end(null));
}

// Whether a person means it; `action` is what the button says that does it.
export async function sure(words, action) {
  return (await open({ words, action, value: null })) !== null;
}

// A name, or null where the person does not give one. `take` gets each name that they give: where
// it raises an Error, that is shown and another name can be given. Without `stem` all of `value` is
// selected, else what stands before its ending.
export const nameFor = ({ words, action, value, stem = false, take = () => {} }) =>
  open({ words, action, value, stem, take });

function open({ words, action, value, stem, take }) {
  end(null);
  const field = find('asking-field');
  const asksName = value !== null;
  find('asking-words').textContent = words;
  find('asking-do').textContent = action;
  find('asking-problem').hidden = true;
  field.hidden = field.disabled = !asksName;
  find('asking').classList.toggle('is-warning', !asksName);
  return new Promise((resolve) => {
    asked = { resolve, take };
    find('asking').showModal();
    // Enter must not do by accident what cannot be undone.
    if (!asksName) return find('asking-cancel').focus();
    field.value = value;
    field.focus();
    field.setSelectionRange(0, stem && value.includes('.') ? value.lastIndexOf('.') : value.length);
  });
}

async function answer(event) {
  event.preventDefault();
  const mine = asked;
  const field = find('asking-field');
  const name = field.disabled ? '' : field.value.trim();
  find('asking-do').disabled = true;
  try {
    if (mine.take) await mine.take(name);
    if (asked === mine) end(name);
  } catch (error) {
    if (asked !== mine) return;
    find('asking-problem').textContent = error.message;
    find('asking-problem').hidden = false;
    field.focus();
  } finally {
    find('asking-do').disabled = false;
  }
}

function end(given) {
  const mine = asked;
  asked = null;
  if (find('asking').open) find('asking').close();
  mine?.resolve(given);
}
