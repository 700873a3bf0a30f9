const { delegate, patch } = window.controlllm;
const holder = element.querySelector('.clm');
let shown = null;
const draw = () => {
  const { parts, handle, title } = props.value;
  const html = parts.join('');
  if (html !== shown) patch(holder, shown = html);
  if (!handle) return;
  const address = `?c=${handle}`;
  if (location.search !== address) history.replaceState(null, '', address);
  document.title = title ? `${title} · ControlLLM` : 'ControlLLM';
};
watch('value', draw);
draw();
delegate(holder, (data) => trigger('act', data));
