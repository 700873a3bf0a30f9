const { delegate, drawn } = window.controlllm;
const holder = drawn(element, props, watch, () => {
  const { handle, title } = props.value;
  if (!handle) return;
  const address = `?c=${handle}`;
  if (location.search !== address) history.replaceState(null, '', address);
  document.title = title ? `${title} · ControlLLM` : 'ControlLLM';
});
delegate(holder, (data) => trigger('act', data));
