const { ready, say } = window.controlllm;
const isNarrow = matchMedia('(max-width: 900px)');
let sides = [];
const isOpen = (side) => side.classList.contains('open');
const toggle = (side) => side.querySelector('.toggle-button');
// What is closed is not reached by keys, nor what lies behind an open drawer.
const follow = () => {
  const drawer = isNarrow.matches && sides.find(isOpen);
  for (const side of sides) {
    toggle(side).setAttribute('aria-expanded', isOpen(side));
    side.querySelector('.sidebar-content').inert = !isOpen(side);
  }
  for (const part of [...sides, ...document.querySelectorAll('.skip, #middle')]) {
    part.inert = Boolean(drawer) && part !== drawer;
  }
};
isNarrow.addEventListener('change', () => {
  for (const side of sides) if (isOpen(side) === isNarrow.matches) toggle(side).click();
  follow();
});
document.addEventListener('keydown', (event) => {
  const drawer = isNarrow.matches && sides.find(isOpen);
  if (event.key !== 'Escape' || !drawer || document.querySelector('dialog[open]')) return;
  toggle(drawer).click();
  toggle(drawer).focus();
});
// They may come later than this.
const begin = (tries) => {
  sides = [...document.querySelectorAll('.sidebar')];
  if (sides.length < 2) return tries && setTimeout(begin, 50, tries - 1);
  for (const side of sides) new MutationObserver(follow).observe(side, { attributeFilter: ['class'] });
  follow();
  ready.then(() => {
    const names = [say('conversations.title'), [say('plans.plan'), say('plans.ways'), say('files.title')].join(', ')];
    sides.forEach((side, place) => toggle(side).setAttribute('aria-label', names[place]));
  });
};
begin(200);
