const { delegate, patch } = window.controlllm;
const holder = element.querySelector('.clm');
const draw = () => patch(holder, props.value.parts.join(''));
watch('value', draw);
draw();
delegate(holder, async () => {
  await fetch('/sign-in/out', { method: 'POST' });
  location.assign('/sign-in');
});
