const { delegate, patch, patchOne } = window.controlllm;
const holder = element.querySelector('.clm');
const draw = () => patch(holder, props.value.parts.join(''));
watch('value', draw);
draw();
watch('fresh', () => {
  for (const [tool, html] of Object.entries(props.fresh)) {
    const card = holder.querySelector(`#tool-${CSS.escape(tool)}`);
    if (card) patchOne(card, html);
  }
});
delegate(holder, (data) => trigger('act', data));
