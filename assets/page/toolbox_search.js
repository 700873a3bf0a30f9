// The toolbox's tools by words: what bears them in its name comes first.
import { find } from './state.js';
import { say } from './texts.js';

// Where each card belongs while nobody searches, in the order of the list.
let places = new Map();

const cards = () => [...document.querySelectorAll('#toolbox .tool-card')];
const plain = (words) => words.toLocaleLowerCase().replaceAll('_', ' ').trim();

export function startToolboxSearch() {
  find('toolbox-search').addEventListener('input', () => searchToolbox(find('toolbox-search').value));
}

// The list was drawn anew.
export function rememberPlaces() {
  places = new Map(cards().map((card) => [card.id, card.parentElement]));
}

export function searchToolbox(said) {
  const asked = plain(said);
  const words = asked.split(/\s+/).filter(Boolean);
  for (const [id, place] of places) {
    const card = find(id);
    card.hidden = false;
    place.append(card);
  }
  if (words.length) {
    const ranked = cards().map((card) => [rank(card, asked, words), card]);
    for (const [, card] of ranked) card.hidden = true;
    const matching = ranked.filter(([found]) => found !== null).sort(([one], [other]) => one - other);
    for (const [, card] of matching) card.hidden = false;
    find('toolbox-found').append(...matching.map(([, card]) => card));
  }
  countTools();
}

// How near a tool's name comes to what was typed, 0 the nearest; null where not all words are there.
function rank(card, asked, words) {
  const names = [card.querySelector('strong').textContent, card.id.slice('tool-'.length)].map(plain);
  const all = `${plain(card.textContent)} ${names[1]}`;
  if (!words.every((word) => all.includes(word))) return null;
  const begins = (name) => words.every((word) => name.split(/\s+/).some((one) => one.startsWith(word)));
  const nearer = [
    (name) => name === asked,
    (name) => name.startsWith(asked),
    begins,
    (name) => words.every((word) => name.includes(word)),
    () => words.every((word) => plain(card.querySelector('p').textContent).includes(word)),
  ];
  const found = nearer.findIndex((isNear) => names.some(isNear));
  return found < 0 ? nearer.length : found;
}

export function countTools() {
  const shown = cards().filter((card) => !card.hidden);
  const ready = shown.filter((card) => card.querySelector('.tool-head .is-ready')).length;
  const key = shown.length === cards().length ? 'toolbox.count' : 'toolbox.count_found';
  find('toolbox-count').textContent = say(key, { count: cards().length, found: shown.length, ready });
  for (const domain of document.querySelectorAll('#toolbox .domain')) {
    const found = domain.querySelectorAll('.tool-card:not([hidden])').length;
    domain.hidden = !found;
    domain.querySelector('h3 .quiet-words').textContent = found;
  }
}
