// What would leave this machine, below the composer; drawn anew when the settings change.
import { call, own } from './server.js';
import { find } from './state.js';

export async function drawLeaves() {
  try {
    find('leaves').innerHTML = await call('GET', own('leaves'));
  } catch {
    // What matters more will say that the server is gone.
  }
}
