// The text that a table of records was drawn from, to take elsewhere.
import { on } from './actions.js';
import { toast } from './notices.js';
import { say } from './texts.js';

on({ 'copy-raw': copyRaw });

async function copyRaw(button) {
  const text = button.closest('.records').querySelector('pre').textContent;
  try {
    await navigator.clipboard.writeText(text);
    toast(say('records.copied'));
  } catch {
    // Without leave to copy it is shown and marked, so that the keyboard can.
    const raw = button.closest('.records').querySelector('.records-foot details');
    raw.open = raw.touched = true;
    getSelection().selectAllChildren(raw.querySelector('pre'));
    toast(say('records.not_copied'), 'error');
  }
}
