const { announce, delegate, patchOne, remember, ready, say } = window.controlllm;
const holder = element.querySelector('.turns');
const drawn = new Map();
const end = document.createElement('button');
end.type = 'button';
end.className = 'to-end';
end.hidden = true;
end.textContent = '↓';
ready.then(() => {
  holder.setAttribute('aria-label', say('turns.title'));
  end.setAttribute('aria-label', say('turns.newest'));
});
holder.after(end);
const isAtEnd = () => holder.scrollTop + holder.clientHeight > holder.scrollHeight - 120;
const toEnd = () => { holder.scrollTop = holder.scrollHeight; };
end.addEventListener('click', toEnd);
holder.addEventListener('scroll', () => { end.hidden = isAtEnd(); }, { passive: true });

const show = (key, html) => {
  if (drawn.get(key) === html) return;
  drawn.set(key, html);
  const old = holder.querySelector(`:scope > [data-key="${key}"]`);
  if (old) return patchOne(old, html);
  holder.insertAdjacentHTML('beforeend', html);
  remember(holder.lastElementChild);
};
let pressed = null;
let handle = '';
const draw = () => {
  const live = props.value;
  const keys = props.value.history.map(([key]) => key);
  if (live.key && !keys.includes(live.key)) keys.push(live.key);
  const isElsewhere = handle !== live.handle;
  const isNew = isElsewhere || keys.some((key) => !drawn.has(key));
  const follows = isNew || isAtEnd();
  handle = live.handle;
  for (const item of [...holder.children]) {
    if (!keys.includes(item.dataset.key)) { drawn.delete(item.dataset.key); item.remove(); }
  }
  for (const [key, html] of props.value.history) if (key !== live.key) show(key, html);
  if (live.key) show(live.key, live.parts.join(''));
  keys.forEach((key, place) => {
    const item = holder.querySelector(`:scope > [data-key="${key}"]`);
    if (holder.children[place] !== item) holder.insertBefore(item, holder.children[place] || null);
  });
  if (follows && keys[0] !== 'welcome') toEnd();
  if (live.key || !isElsewhere) announce(live.now, Boolean(live.key));
  // The button that was pressed may be gone: whoever uses the keyboard goes on from its turn.
  const { activeElement: at } = document;
  if (pressed?.isConnected && (at === document.body || at.disabled)) pressed.focus({ preventScroll: true });
  pressed = null;
};
watch('value', draw);
draw();

// Pieces of an answer lead to the box in the picture that they rest on.
const meant = (mark) => {
  for (const item of holder.querySelectorAll('.is-meant')) item.classList.remove('is-meant');
  const { figure, region } = mark?.dataset || {};
  const shown = figure && mark.closest('.turn').querySelector(`figure[data-key="${CSS.escape(figure)}"]`);
  shown?.classList.add('is-meant');
  if (region !== undefined) shown?.querySelectorAll('.marks rect')[region]?.classList.add('is-meant');
};
for (const sign of ['mouseover', 'focusin']) holder.addEventListener(sign, (event) => meant(event.target.closest('.ground')));
for (const sign of ['mouseout', 'focusout']) holder.addEventListener(sign, () => meant(null));
holder.addEventListener('keydown', (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const group = step && event.target.closest('.branches');
  if (!group) return;
  const way = getComputedStyle(group).direction === 'rtl' ? -step : step;
  group.querySelector(`[data-step="${way}"]:not(:disabled)`)?.click();
});
delegate(holder, (data) => {
  pressed = document.activeElement.closest('.turn');
  trigger('act', { ...data, handle: props.value.handle });
});
