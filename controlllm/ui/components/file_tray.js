const { delegate, drawn } = window.controlllm;
const holder = element.querySelector('.clm');
// Only the files whose names, or kinds, have all the words in them.
const filter = () => {
  const search = holder.querySelector('input[type=search]');
  const words = (search?.value || '').toLocaleLowerCase().split(/\s+/).filter(Boolean);
  let left = 0;
  for (const item of holder.querySelectorAll('.tray-item, .tray-batch')) {
    const said = `${item.dataset.value || ''} ${item.textContent}`.toLocaleLowerCase();
    item.hidden = !words.every((word) => said.includes(word));
    left += !item.hidden;
  }
  for (const shelf of holder.querySelectorAll('.shelf')) {
    shelf.hidden = !shelf.querySelector(':is(.tray-item, .tray-batch):not([hidden])');
    const fold = shelf.querySelector('details');
    if (fold && words.length && !shelf.hidden) fold.open = true;
  }
  const none = holder.querySelector('.no-match');
  if (none) none.hidden = left > 0 || !words.length;
};
drawn(element, props, watch, (differs) => differs && filter());
holder.addEventListener('input', filter);
// As in other programs that show files: F2 on one names it anew.
holder.addEventListener('keydown', (event) => {
  const item = event.key === 'F2' && event.target.closest('.tray-item');
  if (!item) return;
  event.preventDefault();
  trigger('act', { do: 'rename-file', value: item.dataset.value, handle: props.value.handle });
});
delegate(holder, (data) => trigger('act', { ...data, handle: props.value.handle }));
