// What the page says, in the reader's language; the texts come from assets/texts.
const told = await (await fetch('/page/texts.json')).json();
const plurals = new Intl.PluralRules(told.language);

export const language = told.language;

// A text with its {fields} filled in; plain words, to be escaped where they become HTML.
export function say(key, values = {}) {
  let text = told.texts[key];
  if (text === undefined) throw new Error(`There is no text ${key}.`);
  if (typeof text !== 'string') text = text[plurals.select(values.count)] || text.other;
  return text.replace(/\{(\w+)\}/g, (field, name) => (name in values ? String(values[name]) : field));
}
