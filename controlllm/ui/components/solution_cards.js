const { delegate, drawn, escape } = window.controlllm;
const holder = element.querySelector('.clm');
let pressed = '';
drawn(element, props, watch, (differs) => {
  // The button that was pressed cannot be any more, or is gone: its card has the focus then.
  const isLost = document.activeElement === document.body || document.activeElement?.disabled;
  if (differs && pressed && isLost) holder.querySelector(`[data-key="${pressed}"]`)?.focus();
});
// From elsewhere to the first way of a turn that can be tried, once it is drawn and to be seen.
let arrived = 0;
const reach = (tries = 40) => {
  const { turn, time } = props.reached || {};
  const ways = holder.querySelectorAll(`[data-turn="${turn}"]:is([data-do=try-way], [data-do=switch])`);
  const wanted = [...ways].find((way) => way.dataset.do === 'try-way') || ways[0];
  if (!time || time === arrived || !tries) return;
  if (!wanted?.getClientRects().length) return setTimeout(reach, 50, tries - 1);
  arrived = time;
  wanted.closest('.way').scrollIntoView({ block: 'center' });
  wanted.focus({ preventScroll: true });
};
watch('reached', () => reach());
reach(); // what is in a tab begins when that is shown first
addEventListener('focusin', ({ target }) => { if (!target.closest(`[data-key="${pressed}"]`)) pressed = ''; });
addEventListener('pointerdown', ({ target }) => { if (!holder.contains(target)) pressed = ''; });
delegate(holder, (data) => {
  pressed = data.solution === undefined ? '' : `way-${data.subtask}-${data.solution}`;
  trigger('act', { ...data, handle: props.value.handle });
});
const look = async (wanted) => {
  const found = await server.look({ ...wanted, handle: props.value.handle });
  return found.html ?? `<p class="why">${escape(found.error)}</p>`;
};

// Why a tool is in none of the ways, as its name is typed.
let timer = 0;
let asked = 0;
holder.addEventListener('input', ({ target }) => {
  if (!target.classList.contains('why-search')) return;
  clearTimeout(timer);
  const mine = asked += 1;
  const answer = target.parentElement.querySelector('.why-answer');
  if (!target.value.trim()) return answer.replaceChildren();
  timer = setTimeout(async () => {
    answer.setAttribute('aria-busy', 'true');
    const html = await look({ do: 'why-not', turn: target.dataset.turn, subtask: target.dataset.subtask, words: target.value });
    if (mine === asked) answer.innerHTML = html;
    answer.removeAttribute('aria-busy');
  }, 250);
});

// What a way would do, beside the pointer or the focus. Nothing is run for it.
const preview = document.createElement('div');
preview.className = 'clm way-preview';
preview.id = 'way-preview';
preview.setAttribute('role', 'tooltip');
preview.hidden = true;
document.body.append(preview);
let waiting = 0;
let wanted = null;
const away = () => {
  clearTimeout(waiting);
  wanted?.querySelector('[aria-describedby]')?.removeAttribute('aria-describedby');
  wanted = null;
  preview.hidden = true;
};
const place = (card) => {
  const around = card.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = preview;
  const room = around.left - width - 8;
  const x = room > 8 ? room : Math.max(8, Math.min(around.left, innerWidth - width - 8));
  const y = room > 8 ? Math.max(8, Math.min(around.top, innerHeight - height - 8)) : around.bottom + 8;
  preview.style.left = `${x}px`;
  preview.style.top = `${Math.min(y, innerHeight - height - 8)}px`;
};
const towards = (event) => {
  const card = event.target.closest?.('.way[data-way]:not(.is-chosen)');
  if (card === wanted) return;
  away();
  // Whoever writes beside the ways is not disturbed by where the pointer happens to be.
  const writes = event.type !== 'focusin' && document.activeElement?.closest('.why-not');
  if (!card || writes || event.pointerType === 'touch') return;
  wanted = card;
  waiting = setTimeout(async () => {
    const { turn, subtask, way } = card.dataset;
    const found = await server.look({ do: 'preview', turn, subtask, solution: way, handle: props.value.handle });
    if (wanted !== card || !found.html) return;
    preview.innerHTML = found.html;
    preview.hidden = false;
    place(card);
    if (card.contains(document.activeElement)) document.activeElement.setAttribute('aria-describedby', preview.id);
  }, 250);
};
for (const sign of ['pointerover', 'focusin']) holder.addEventListener(sign, towards);
for (const sign of ['pointerleave', 'pointerdown', 'focusout']) holder.addEventListener(sign, away);
addEventListener('scroll', away, true);
addEventListener('keydown', (event) => event.key === 'Escape' && away());
