const { delegate, drawn, patchOne } = window.controlllm;
const holder = drawn(element, props, watch);
watch('fresh', () => {
  for (const [tool, html] of Object.entries(props.fresh)) {
    const card = holder.querySelector(`#tool-${CSS.escape(tool)}`);
    if (card) patchOne(card, html);
  }
});
delegate(holder, (data) => trigger('act', data));
