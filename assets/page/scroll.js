// Where the page stands: it follows what happens until the person looks elsewhere.
import { find } from './state.js';

let following = true;

export const isFollowing = () => following;

export function startScrolling() {
  const scroll = find('scroll');
  scroll.addEventListener('scroll', () => {
    const atEnd = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 120;
    if (atEnd) following = true;
    find('to-end').hidden = atEnd;
  }, { passive: true });
  for (const sign of ['wheel', 'touchmove', 'pointerdown', 'keydown']) {
    scroll.addEventListener(sign, () => { following = false; }, { passive: true });
  }
}

export function toEnd(smooth) {
  const scroll = find('scroll');
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  scroll.scrollTo({ top: scroll.scrollHeight, behavior: smooth && !calm ? 'smooth' : 'instant' });
  following = true;
}

// The end of a short turn, the beginning of one that is longer than the screen.
export function toAnswer(number) {
  const scroll = find('scroll');
  const turn = find('turns').querySelector(`[data-key="turn-${number}"]`);
  if (!turn || turn.offsetHeight < scroll.clientHeight - 40) return toEnd(false);
  const reply = turn.querySelector('.reply');
  const off = reply.getBoundingClientRect().top - scroll.getBoundingClientRect().top - 90;
  if (Math.abs(off) > 2) scroll.scrollTop += off;
}

// A long plan moves along with what runs now.
export function followGraph(key) {
  const node = find('turns').querySelector(`[data-key="${key}"] .node-tool.is-running`);
  const frame = node?.closest('.graph-scroll');
  if (!frame || frame.scrollWidth <= frame.clientWidth) return;
  const [box, outer] = [node.getBoundingClientRect(), frame.getBoundingClientRect()];
  if (box.left < outer.left + 20 || box.right > outer.right - 60) {
    frame.scrollLeft += box.left - outer.left - outer.width / 2;
  }
}
