// The conversation shown: opens it, lays it out, keeps it fresh.
import { drawLeaves } from './leaves.js';
import { attach, drawChips } from './composer.js';
import { filterFiles } from './files.js';
import { failed } from './notices.js';
import { patch } from './patch.js';
import { takeStanding } from './queue.js';
import { drawRail } from './rail.js';
import { toEnd } from './scroll.js';
import { call, own } from './server.js';
import { find, state } from './state.js';

let refreshing = false;
let watch = () => {};

// Is called with the name of a run that goes on at the server and that this page does not watch.
export const whenRunning = (follow) => { watch = follow; };

export async function open(handle, fresh = false) {
  try {
    draw(await call('POST', '/conversations', { handle, new: fresh }));
    drawLeaves();
    if (document.querySelector('.turn')) toEnd(false);
  } catch (error) {
    failed(error);
  }
}

let drawings = 0;

export function draw(content) {
  if ('account' in content) drawAccount(content.account);
  drawings += 1;
  state.handle = content.handle;
  const address = `?c=${content.handle}`;
  if (location.search !== address) history.replaceState(null, '', address);
  patch(find('turns'), content.turns);
  takeStanding(content);
  takeFiles(content);
  drawRail(content);
  drawChips();
  if (content.run && !state.run) watch(content.run);
}

function drawAccount(account) {
  const line = find('account');
  line.hidden = !account;
  if (account) line.querySelector('bdi').textContent = account.shown;
}

export function takeFiles(content) {
  state.files = new Map(content.files.map((file) => [file.value, file]));
  patch(find('tray'), content.tray);
  filterFiles();
  const counter = find('files-count');
  counter.textContent = state.files.size;
  counter.hidden = !state.files.size;
}

// Another tab may have gone on with this conversation.
export async function refresh() {
  if (state.run || !state.handle || refreshing) return;
  refreshing = true;
  const before = drawings;
  let late = false;
  try {
    const content = await call('GET', own());
    // What a person did meanwhile was drawn already, and this may be older.
    late = drawings !== before && content.mark !== state.mark;
    if (!state.run && drawings === before && content.handle === state.handle) draw(content);
  } catch { /* the next action says so */ }
  refreshing = false;
  if (late) refresh();
}

let filesAsked = false;
export async function refreshFiles() {
  if (filesAsked) return;
  filesAsked = true;
  await new Promise((resolve) => setTimeout(resolve, 150));
  filesAsked = false;
  try {
    await fetchFiles();
  } catch { /* shown with the next answer */ }
}

async function fetchFiles() {
  const content = await call('GET', own('files'));
  takeFiles(content);
  drawRail(content);
}

// Attaches a file that was drawn a moment ago and may not have reached the tray yet.
export async function attachDrawn(value) {
  try {
    if (!state.files.has(value)) await fetchFiles();
    attach(value);
  } catch (error) {
    failed(error);
  }
}
