// Hears of what other tabs do with the conversation. Only a tab that is seen and watches no run
// listens, so that few of a browser's connections are taken.
import { reached } from './connection.js';
import { refresh } from './conversation.js';
import { listen, own } from './server.js';
import { state } from './state.js';
import { streaming } from './streams.js';

const BETWEEN = 1000; // milliseconds before it listens again where that broke off
const LOOK = 1000; // milliseconds that it looks where it cannot listen
let reading = null;
let woken = () => {};

export function startLive() {
  document.addEventListener('visibilitychange', wake);
  setInterval(wake, 1000);
  follow();
}

// What is shown may be another conversation, a run may have begun or ended.
function wake() {
  woken();
  if (reading && (reading.handle !== state.handle || state.run || document.hidden)) reading.leave.abort();
}

async function follow() {
  for (;;) {
    if (document.hidden || state.run || !state.handle) {
      await new Promise((resolve) => { woken = resolve; });
      continue;
    }
    const mine = reading = { handle: state.handle, leave: new AbortController() };
    try {
      await streaming(async (stays) => {
        const ends = [mine.leave.signal, ...(stays ? [] : [AbortSignal.timeout(LOOK)])];
        await listen(own('live'), { mark: state.mark }, AbortSignal.any(ends), heard, stays).catch((error) => {
          if (!ends[1]?.aborted) throw error;
        });
        return stays || mine.leave.signal.aborted;
      });
    } catch (error) {
      if (!mine.leave.signal.aborted) {
        await reached();
        await new Promise((resolve) => setTimeout(resolve, BETWEEN));
      }
    }
    reading = null;
  }
}

function heard({ mark }) {
  if (mark && mark !== state.mark && reading?.handle === state.handle) refresh();
}
