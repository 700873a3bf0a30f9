const { delegate, patch, say } = window.controlllm;
const APART = 0.08; // seconds that two players may drift apart before one is moved
const holder = element.querySelector('.clm');
let shown = null;
const draw = () => {
  const html = props.value.parts.join('');
  if (html === shown) return;
  const had = holder.contains(document.activeElement);
  patch(holder, shown = html);
  // What was pressed may be gone; whoever uses the keyboard goes on from here.
  if (had && !holder.contains(document.activeElement)) holder.querySelector('button:not(:disabled)')?.focus();
  holder.querySelectorAll('.both').forEach(tell);
};

// What is compared has changed, or a way that was tried has come to its end.
let before = {};
watch('standing', () => {
  const { handle, turn, trying, mark } = props.standing;
  const isSame = before.handle === handle && before.turn === turn;
  const tried = isSame && before.trying >= 0 && trying < 0 ? before.trying : -1;
  const isNew = before.mark !== mark;
  before = props.standing;
  const isOpen = element.closest('dialog')?.open;
  const writes = document.activeElement?.matches('textarea, input') && document.activeElement.value;
  if (tried >= 0 && !isOpen && !writes && !document.querySelector('dialog[open]')) {
    trigger('moved', { handle, turn, subtask: tried, opens: true });
  } else if (isOpen && isNew && props.value.turn === turn && props.value.handle === handle) {
    trigger('moved', { handle, turn, subtask: props.value.subtask, opens: false });
  }
});

// Two players with one set of controls: both play, one is heard.
const playersOf = (both) => [...both.querySelectorAll('audio, video')];
const lengthOf = (both) => Math.max(...playersOf(both).map(({ duration }) => duration || 0));
const placeOf = (both) => Math.max(...playersOf(both).map(({ currentTime }) => currentTime));
const buttonOf = (both) => both.querySelector('[data-do=play-both]');
const plays = (both) => buttonOf(both).getAttribute('aria-pressed') === 'true';
const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

function tell(both) {
  const whole = lengthOf(both);
  const now = Math.min(placeOf(both), whole);
  const place = both.querySelector('.both-place');
  if (!place.matches(':active')) place.value = whole ? Math.round((now / whole) * 1000) : 0;
  place.setAttribute('aria-valuetext', say('compare.place_at', { now: clock(now), whole: clock(whole) }));
  both.querySelector('.both-time').textContent = `${clock(now)} / ${clock(whole)}`;
}
const hear = (both) => {
  const side = both.querySelector('input[type=radio]:checked').value;
  for (const player of playersOf(both)) player.muted = player.dataset.side !== side;
};
const move = (both, share) => {
  const seconds = share * lengthOf(both) || 0;
  for (const player of playersOf(both)) {
    player.currentTime = Math.min(seconds, player.duration || 0);
    if (plays(both) && player.paused && seconds < player.duration) player.play().catch(() => {});
  }
  tell(both);
};
const play = (both) => {
  const starts = !plays(both);
  if (starts) {
    const place = placeOf(both);
    hear(both);
    move(both, place >= lengthOf(both) - 0.05 ? 0 : place / lengthOf(both));
  }
  for (const player of playersOf(both)) {
    if (!starts) player.pause();
    else if (player.currentTime < player.duration - 0.01) player.play().catch(() => {});
  }
  buttonOf(both).setAttribute('aria-pressed', String(starts));
};
// Called with what a player tells: the place is shown, and who has fallen behind is moved.
const inStep = (player) => {
  const both = player.closest?.('.both');
  if (!both) return;
  const [first, second] = playersOf(both);
  const heard = first.muted ? second : first;
  const other = heard === first ? second : first;
  if (!heard.paused && !other.paused && Math.abs(heard.currentTime - other.currentTime) > APART) {
    other.currentTime = Math.min(heard.currentTime, other.duration);
  }
  if (playersOf(both).every(({ paused, ended }) => paused || ended)) buttonOf(both).setAttribute('aria-pressed', 'false');
  tell(both);
};
// What players tell does not rise to those around them.
for (const told of ['timeupdate', 'ended', 'loadedmetadata', 'seeked']) {
  holder.addEventListener(told, ({ target }) => inStep(target), true);
}
holder.addEventListener('input', ({ target }) => {
  if (target.classList.contains('both-place')) move(target.closest('.both'), target.value / 1000);
});
holder.addEventListener('change', ({ target }) => target.type === 'radio' && hear(target.closest('.both')));
// Nothing plays on behind a dialog that is closed.
setTimeout(() => element.closest('dialog')?.addEventListener('close', () => {
  for (const both of holder.querySelectorAll('.both')) if (plays(both)) play(both);
}));
watch('value', draw);
draw();
delegate(holder, (data) => trigger('act', { ...data, handle: props.value.handle }), (button) => {
  if (button.dataset.do !== 'play-both') return false;
  play(button.closest('.both'));
  return true;
});
