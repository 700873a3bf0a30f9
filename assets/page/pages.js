// The pages of a document, as small pictures: one that is chosen becomes a picture to work with.
import { takeFiles } from './conversation.js';
import { failed } from './notices.js';
import { call, own } from './server.js';
import { say } from './texts.js';

const AT_ONCE = 12;

// A strip with the pages of a file; `opened` is called with the name of a page's picture.
export function pagesOf(file, opened) {
  const strip = document.createElement('ol');
  strip.className = 'pages';
  strip.setAttribute('aria-label', say('documents.all_pages', { name: file.value }));
  let shown = 0;
  const more = document.createElement('button');
  more.type = 'button';
  more.className = 'small';
  more.textContent = say('documents.more_pages');
  const add = () => {
    for (const last = Math.min(shown + AT_ONCE, file.pages); shown < last;) {
      shown += 1;
      strip.append(page(file, shown, opened));
    }
    more.hidden = shown >= file.pages;
  };
  more.addEventListener('click', add);
  add();
  const whole = document.createElement('div');
  whole.className = 'pages-strip';
  whole.append(strip, more);
  return whole;
}

function page(file, number, opened) {
  const item = document.createElement('li');
  const button = document.createElement('button');
  button.type = 'button';
  button.title = say('documents.use_page', { number });
  button.setAttribute('aria-label', button.title);
  const picture = document.createElement('img');
  picture.loading = 'lazy';
  picture.alt = '';
  picture.src = `${own('page')}?value=${encodeURIComponent(file.value)}&page=${number}&size=small`;
  const words = document.createElement('span');
  words.textContent = say('documents.page', { number });
  button.append(picture, words);
  button.addEventListener('click', async () => {
    button.disabled = true;
    try {
      const made = await call('POST', own('page'), { value: file.value, page: number });
      takeFiles(made);
      opened(made.file.value);
    } catch (error) {
      failed(error);
    }
    button.disabled = false;
  });
  item.append(button);
  return item;
}
