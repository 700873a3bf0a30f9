const { delegate, drawn } = window.controlllm;
delegate(drawn(element, props, watch), async () => {
  await fetch('/sign-in/out', { method: 'POST' });
  location.assign('/sign-in');
});
