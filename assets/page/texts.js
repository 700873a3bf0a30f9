// What the page says, in the reader's language; the texts come from assets/texts.
const told = await (await fetch('/page/texts.json')).json();
const plurals = new Intl.PluralRules(told.language);
const figures = new Intl.NumberFormat(`${told.language}-u-nu-latn`);

export const language = told.language;

// What stands between these has a direction of its own: names of files amid Arabic words.
const field = (value) =>
  (told.direction === 'rtl' && /\D/.test(value) ? `\u2068${value}\u2069` : String(value));

// A text with its {fields} filled in; plain words, to be escaped where they become HTML.
export function say(key, values = {}) {
  let text = told.texts[key];
  if (text === undefined) throw new Error(`There is no text ${key}.`);
  if (typeof text !== 'string') {
    text = text[plurals.select(values.count)] || text.other;
    values = { ...values, count: figures.format(values.count) };
  }
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? field(values[name]) : whole));
}
