const { ready, say } = window.controlllm;
const dialog = document.createElement('dialog');
const head = document.createElement('header');
const title = document.createElement('h2');
const close = document.createElement('button');
dialog.className = 'clm-dialog';
title.id = `title-${Math.random().toString(36).slice(2)}`;
title.dir = 'auto';
dialog.setAttribute('aria-labelledby', title.id);
close.type = 'button';
close.textContent = '×';
ready.then(() => close.setAttribute('aria-label', say('page.close')));
head.append(title, close);
element.before(dialog);
dialog.append(head, element);
element.classList.add('is-ready');
close.addEventListener('click', () => dialog.close());
dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
dialog.addEventListener('close', () => {
  tell();
  if (!props.value.open) return;
  props.value = { ...props.value, open: false };
  trigger('closed');
});
// What is told lies before the dialog that is open: behind it nobody could read or close it.
const tell = () => {
  const front = [...document.querySelectorAll('dialog[open].clm-dialog')].pop() || document.querySelector('.gradio-container');
  for (const told of document.querySelectorAll('.toast-wrap, #announce')) {
    if (told.parentNode !== front) front.append(told);
  }
};
const point = (id, tries = 20) => {
  const field = document.getElementById(id);
  const found = field?.matches('button, input') ? field : field?.querySelector('input, textarea, select, button');
  if (!found?.offsetParent) return tries && setTimeout(point, 50, id, tries - 1);
  found.scrollIntoView({ block: 'center' });
  found.focus({ preventScroll: true });
};
// What opens it may be told once more when it is closed already: where the page's `opens` changes
// before all that hear of it have been asked, Gradio asks the rest twice for what it is by then.
let opened = 0;
const follow = () => {
  const { open, title: words, wide, find, time } = props.value;
  const isOver = open && !dialog.open && time && time === opened;
  if (time) opened = time;
  if (isOver) {
    props.value = { ...props.value, open: false };
    return;
  }
  title.textContent = words;
  dialog.classList.toggle('is-wide', Boolean(wide));
  if (open && !dialog.open) dialog.showModal();
  if (!open && dialog.open) dialog.close();
  tell();
  if (open && find) point(find);
};
watch('value', follow);
follow();
