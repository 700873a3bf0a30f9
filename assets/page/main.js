// The page's front door: starts the parts and passes on what a person does.
import { ACTIONS, on } from './actions.js';
import { startAsking } from './asking.js';
import { watchOn } from './batch.js';
import { startBranches } from './branches.js';
import { startConnection } from './connection.js';
import { attach, hint, startComposer } from './composer.js';
import { attachDrawn, open, refreshFiles, takeFiles } from './conversation.js';
import { changeWeights, forget, openSettings, openToolbox, saveSettings, startDialogs } from './dialogs.js';
import { drawer, startDrawers } from './drawers.js';
import { startGrounds } from './grounds.js';
import { startLive } from './live.js';
import { startLanguage } from './language.js';
import { failed, startNotices, toast } from './notices.js';
import { startFiles } from './files.js';
import { startMentions } from './mentions.js';
import { canCut, openCutter, startCutter } from './cutter.js';
import { startNumbered } from './numbered.js';
import { openPicker, openPickerWith, startPicker } from './picker.js';
import { startRail } from './rail.js';
import './records.js';
import { startPlanEditor } from './plan_editor.js';
import { act, ask, choose, resume, skipStep, startRuns, switchWay } from './run.js';
import { startScrolling, toEnd } from './scroll.js';
import { startComparing } from './compare.js';
import { call, own } from './server.js';
import { startSelfTest } from './self_test.js';
import { correctSource, removeSource, startSources, trySourceTool } from './sources.js';
import { find, state } from './state.js';
import { say } from './texts.js';
import { openViewer } from './viewer.js';
import { startWhyNot } from './why_not.js';

async function start() {
  const app = find('app');
  startComposer(app, ask, takeFiles);
  startPicker(usePoints);
  startCutter(usePoints);
  startNumbered();
  startMentions();
  startFiles(app);
  startRuns();
  startScrolling();
  startDrawers();
  startNotices(app);
  startConnection();
  startDialogs(app);
  startAsking();
  startSources();
  startBranches();
  startGrounds();
  startRail();
  startSelfTest();
  startPlanEditor(app);
  startWhyNot(app);
  startLanguage();
  startComparing(app);
  app.addEventListener('click', acted);
  app.addEventListener('change', changed);
  find('viewer-attach').addEventListener('click', (event) => {
    find('viewer').close();
    attachDrawn(event.currentTarget.dataset.value);
  });
  find('viewer-pick').addEventListener('click', (event) => {
    find('viewer').close();
    pointAt(event.currentTarget.dataset.value);
  });
  await open(new URLSearchParams(location.search).get('c') || '');
  startLive();
  app.dataset.ready = 'true';
  watchOn();
}

function usePoints(kept, image) {
  takeFiles(kept);
  attach(image, true);
  attach(kept.file.value, find('picker').open);
}

// Pictures are pointed at in space, recordings in time.
function pointAt(value) {
  return canCut(state.files.get(value)) ? openCutter(value) : openPicker(value);
}

on({
  new: () => {
    if (state.run) return toast(say('notices.running_stop_or_wait'));
    drawer();
    open('', true);
    find('words').focus();
  },
  conversation: (button) => {
    if (state.run) return toast(say('notices.running_stop_or_wait'));
    drawer();
    open(button.dataset.handle);
  },
  skip: () => find('words').focus(),
  rail: () => drawer('rail'),
  files: () => drawer('files'),
  veil: () => drawer(),
  'sign-out': async () => {
    await fetch('/sign-in/out', { method: 'POST' });
    location.assign('/sign-in');
  },
  end: () => toEnd(true),
  close: (button) => button.closest('dialog').close(),
  attach: (button) => { drawer(); attachDrawn(button.dataset.value); },
  view: (button) => openViewer(button.dataset.value),
  open: (button) => openViewer(button.dataset.value),
  pick: (button) => { drawer(); pointAt(button.dataset.value); },
  'point-at-word': ({ dataset }) => openCutter(dataset.value, dataset.transcript),
  'point-at-box': ({ dataset }) => {
    const [left, top, right, bottom] = dataset.box.split(' ').map(Number);
    openPickerWith(dataset.value, { left, top, right, bottom });
  },
  example,
  switch: switchWay,
  choose,
  act,
  'skip-step': skipStep,
  resume,
  settings: (button) => { drawer(); openSettings(button.dataset.find); },
  toolbox: (button) => { drawer(); openToolbox(button.dataset.find); },
  forget,
  'forget-model': () => saveSettings(null),
  pull: (button) => changeWeights(button, 'pull'),
  'stop-pull': (button) => changeWeights(button, 'stop'),
  'remove-weights': (button) => changeWeights(button, 'remove'),
  'remove-source': removeSource,
  'try-source-tool': trySourceTool,
});

function acted(event) {
  // A fold that a person has used stays as they left it.
  const summary = event.target.closest('summary');
  if (summary) summary.parentElement.touched = true;
  const opener = event.target.closest('#open-picker');
  if (opener) {
    const latest = state.files.get(state.attached.at(-1));
    const recorded = [...state.files.values()].some(canCut);
    if (canCut(latest) || !openPicker()) {
      if (recorded) openCutter(canCut(latest) ? latest.value : '');
      else hint(say('pointing.picture_first'));
    }
    return;
  }
  const button = event.target.closest('[data-do]');
  if (button && ACTIONS[button.dataset.do] && button.nodeName !== 'SELECT') {
    ACTIONS[button.dataset.do](button);
  }
}

async function changed(event) {
  const { target } = event;
  correctSource(target);
  if (target.name === 'theme') window.controlllmTheme.set(target.value);
  if (target.dataset.do === 'type') {
    try {
      takeFiles(await call('POST', own('type'), { value: target.dataset.value, type: target.value }));
      const type = target.selectedOptions[0].textContent;
      toast(say('files.counts_as', { name: target.dataset.value, type }));
    } catch (error) {
      failed(error);
      refreshFiles();
    }
  }
}

async function example(button) {
  if (state.run) return;
  button.disabled = true;
  try {
    const ready = await call('POST', own(`examples/${button.dataset.example}`));
    takeFiles(ready);
    ask(ready.text, ready.attached);
  } catch (error) {
    failed(error);
    button.disabled = false;
  }
}

start();
