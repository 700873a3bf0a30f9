// A browser opens six connections to a server, for all its tabs together. Streams that stay open
// share four of them; a tab that gets none of these looks now and then how things stand.
const SHARED = 4;

const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
const LOOKS = 2000; // milliseconds from one look to the next

// Calls `use` with whether its stream may stay open, again and again until it says that it has
// ended. Where tabs cannot agree on who has a connection, hidden ones do without.
export async function streaming(use) {
  for (;;) {
    if (await (navigator.locks ? withShare(use) : use(!document.hidden))) return;
    await pause(LOOKS);
  }
}

async function withShare(use) {
  for (let share = 0; share < SHARED; share++) {
    const taken = {};
    const came = await navigator.locks.request(`stream-${share}`, { ifAvailable: true }, (lock) =>
      lock ? use(true) : taken);
    if (came !== taken) return came;
  }
  return use(false);
}
