const { ready, say } = window.controlllm;
const LOOK = 2000;
const QUIET = 25000; // the server tells something at least every ten seconds
const notice = element.querySelector('.connection');
let heard = Date.now();
let isLost = false;
watch('value', () => { heard = Date.now(); });
const come = () => { heard = Date.now(); trigger('come'); };
document.addEventListener('visibilitychange', () => (document.hidden ? trigger('leave') : come()));
const look = async () => {
  if (document.hidden || Date.now() - heard < LOOK * 3) return;
  const answers = await fetch('/health', { cache: 'no-store' }).then((answer) => answer.ok, () => false);
  notice.hidden = answers;
  if (!answers) {
    isLost = true;
    notice.textContent = say('errors.no_answer');
  } else if (isLost || Date.now() - heard > QUIET) {
    isLost = false;
    come();
  }
};
setInterval(look, LOOK);
ready.then(() => setTimeout(come, 0));
