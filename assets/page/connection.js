// Whether the server can be reached. What fails to reach it tells so here; from then on the page
// asks until it answers. A person is told only of what lasts.
import { toast } from './notices.js';
import { say } from './texts.js';

const AGAIN = 1000; // milliseconds between two questions
const LASTS = 2500; // milliseconds that a gap has to last before it is told

let back = null; // while the server is not reached: a promise that is kept when it is

// Called where a request or a stream broke off.
export function missed() {
  back ||= untilBack();
}

// Waits until the server can be reached; not at all where nothing says that it cannot.
export const reached = () => back ?? Promise.resolve();

async function untilBack() {
  const since = Date.now();
  let note = null;
  while (!await answers()) {
    // Who closes the message knows; it does not come again.
    if (Date.now() - since > LASTS) note ??= toast(say('notices.connection_lost'), 'lost', 0);
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
  }
  back = null;
  if (!note) return;
  note.remove();
  toast(say('notices.connection_back'));
}

async function answers() {
  try {
    const given = await fetch('/health', { cache: 'no-store', signal: AbortSignal.timeout(5000) });
    return given.status < 502;
  } catch {
    return false;
  }
}

export function startConnection() {
  addEventListener('offline', missed);
}
