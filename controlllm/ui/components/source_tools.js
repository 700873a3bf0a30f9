const { delegate, escape, say, sure } = window.controlllm;
const holder = element.querySelector('.clm');
const draw = () => { holder.innerHTML = props.value.parts.join(''); };
watch('value', draw);
draw();
const foldOf = ({ source, tool }) => holder.querySelector(
  `.source-tool[data-source="${CSS.escape(source)}"][data-tool="${CSS.escape(tool)}"]`,
);
// Fills a tool's fold anew; samples that were typed and the focus stay, and the mark beside the
// tool's name, which comes along, is exchanged.
const fill = async (wanted) => {
  const fold = foldOf(wanted);
  const body = fold.querySelector('.source-body');
  if (!body.hasChildNodes()) body.innerHTML = `<p class="quiet-words">${escape(say('sources.reading'))}</p>`;
  body.setAttribute('aria-busy', 'true');
  const found = (await server.look(wanted).catch(() => null)) || { error: say('errors.no_answer') };
  body.removeAttribute('aria-busy');
  body.querySelector('.why')?.remove();
  if (found.error) {
    const said = `<p class="why" role="alert">${escape(found.error)}</p>`;
    if (!body.querySelector('select')) body.innerHTML = said;
    else body.insertAdjacentHTML('beforeend', said);
    return;
  }
  const { id, dataset } = body.contains(document.activeElement) ? document.activeElement : {};
  const typed = [...body.querySelectorAll('[data-value]')].map((field) => field.value);
  body.innerHTML = found.html;
  const mark = body.querySelector('[data-mark]');
  const summary = fold.querySelector('summary');
  summary.querySelector('.badge')?.remove();
  summary.append(mark.content);
  mark.remove();
  body.querySelectorAll('[data-value]').forEach((field, place) => { field.value = typed[place] ?? ''; });
  const same = id ? document.getElementById(id) : dataset && body.querySelector(`[data-do="${dataset.do}"]`);
  same?.focus({ preventScroll: true });
};
// This event does not rise by itself.
holder.addEventListener('toggle', ({ target }) => {
  if (target.open && target.matches('.source-tool')) fill({ do: 'source-tool', ...target.dataset });
}, true);
const attempt = async (button) => {
  const { acts, ...wanted } = button.dataset;
  const allowed = acts === 'true';
  if (allowed && !await sure(say('sources.try_sure'), say('sources.try'))) return;
  const fields = [...foldOf(wanted).querySelectorAll('[data-value]')];
  const values = Object.fromEntries(fields.map(({ dataset, value }) => [dataset.value, value]));
  button.disabled = true;
  await fill({ ...wanted, values, allowed });
  button.disabled = false;
};
delegate(holder, (data) => (data.do === 'remove-source' ? trigger('act', data) : fill(data)), (button) => {
  if (button.dataset.do !== 'try-source-tool') return false;
  attempt(button);
  return true;
});
