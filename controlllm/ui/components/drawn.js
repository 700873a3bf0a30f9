const { delegate, patch } = window.controlllm;
const holder = element.querySelector('.clm');
let shown = null;
const draw = () => {
  const html = props.value.parts.join('');
  if (html !== shown) patch(holder, shown = html);
};
watch('value', draw);
draw();
delegate(holder, (data) => trigger('act', data));
