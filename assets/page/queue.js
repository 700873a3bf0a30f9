// Requests that wait until the one that runs is done.
import { on } from './actions.js';
import { announce, failed, toast } from './notices.js';
import { patch } from './patch.js';
import { call, own } from './server.js';
import { find, name, state } from './state.js';
import { say } from './texts.js';

// What runs and what waits, as the server says; `mark` stands for how the conversation is now.
export function takeStanding(content) {
  patch(find('queue'), content.queue);
  state.mark = content.mark;
}

// Whether the server took the request among those that wait.
export async function enqueue(text, attached) {
  try {
    takeStanding(await call('POST', own('queue'), { name: name(), text, attached }));
    announce(say('queue.added'));
    return true;
  } catch (error) {
    failed(error);
    return false;
  }
}

export const changeWaiting = (wanted, text) => change('change', { name: wanted, text }, 'changed');

async function change(what, wanted, words) {
  try {
    takeStanding(await call('POST', own(`queue/${what}`), wanted));
    if (words) toast(say(`queue.${words}`));
    return true;
  } catch (error) {
    failed(error);
    takeStanding(await call('GET', own('queue')).catch(() => ({ queue: '', mark: '' })));
    return false;
  }
}

on({
  'drop-waiting': (button) => change('drop', { name: button.dataset.name }, 'dropped'),
  'go-on-waiting': () => change('go-on', {}),
});
