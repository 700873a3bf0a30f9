const { ready, say } = window.controlllm;
const LOOK = 2000;
const QUIET = 25000; // the server tells something at least every ten seconds
const notice = element.querySelector('.connection');
let heard = Date.now();
let isLost = false;

// A browser has six connections to a server. Of the tabs that are seen at once the newest hold one
// each; the others come for a moment now and then, one at a time.
const MOST = 3;
const MOMENT = 10000;
const me = String(Math.random());
const tabs = new BroadcastChannel('controlllm-presence');
const newer = new Set();
const isAside = () => document.hidden || newer.size >= MOST;
let leaves = () => {};
const goAside = () => { trigger('leave'); setTimeout(leaves, LOOK / 4); };
const tell = (is) => tabs.postMessage({ tab: me, is });
const come = () => {
  heard = Date.now();
  newer.clear();
  tell(true);
  trigger('come');
};
const comeForAMoment = () => navigator.locks?.request('controlllm-moment', () => isAside() && new Promise((done) => {
  leaves = done;
  setTimeout(done, MOMENT);
  trigger('come');
}));
tabs.onmessage = ({ data: { tab, is } }) => {
  const was = isAside();
  is ? newer.add(tab) : newer.delete(tab);
  if (!was && isAside()) trigger('leave');
};
watch('value', () => {
  heard = Date.now();
  if (isAside()) goAside();
});
for (const sign of ['focus', 'pointerdown', 'keydown']) addEventListener(sign, () => isAside() && come());
addEventListener('pagehide', () => tell(false));
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) return come();
  tell(false);
  goAside();
});

const look = async () => {
  if (document.hidden || Date.now() - heard < LOOK * 3) return;
  const answers = await fetch('/health', { cache: 'no-store' }).then((answer) => answer.ok, () => false);
  notice.hidden = answers;
  if (!answers) {
    isLost = true;
    notice.textContent = say('errors.no_answer');
  } else if (isAside()) await comeForAMoment();
  else if (isLost || Date.now() - heard > QUIET) come();
  if (answers) isLost = false;
};
const goOn = () => setTimeout(() => look().then(goOn), LOOK);
ready.then(() => setTimeout(come, 0)).then(goOn);
