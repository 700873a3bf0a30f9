// What the page's components share: texts in the reader's language, changing what is shown in place,
// and passing on what was pressed. Runs once, before any of them.
(() => {
  // Light or dark as was chosen here, else as the system is, also when that changes.
  const system = matchMedia('(prefers-color-scheme: dark)');
  const theme = () => localStorage.getItem('theme') || 'system';
  const colour = () => {
    const dark = theme() === 'system' ? system.matches : theme() === 'dark';
    if (document.body.classList.contains('dark') !== dark) document.body.classList.toggle('dark', dark);
  };
  const colours = (choice) => {
    if (choice === 'system') localStorage.removeItem('theme');
    else localStorage.setItem('theme', choice);
    colour();
  };
  // What is told to those who hear the page; how far something is at most every so often, so that
  // they keep up.
  const BETWEEN = 3000;
  const heard = document.createElement('p');
  heard.id = 'announce';
  heard.className = 'for-screen-readers';
  heard.setAttribute('role', 'status');
  let coming = '';
  let later = 0;
  let told = 0;
  const announce = (words, isProgress = false) => {
    if (words === coming) return;
    coming = words;
    clearTimeout(later);
    later = setTimeout(() => {
      told = Date.now();
      heard.textContent = coming;
    }, isProgress ? Math.max(0, told + BETWEEN - Date.now()) : 0);
  };

  // The first stop of the keyboard leads to the request.
  const skip = document.createElement('a');
  skip.className = 'skip';
  skip.href = '#words';
  skip.addEventListener('click', (event) => {
    event.preventDefault();
    document.querySelector('#words textarea').focus();
  });

  // Gradio follows the system by itself, whatever was chosen.
  const begin = () => {
    colour();
    document.body.prepend(skip);
    document.body.append(heard);
    new MutationObserver(colour).observe(document.body, { attributeFilter: ['class'] });
  };
  document.body ? begin() : addEventListener('DOMContentLoaded', begin);
  const speak = (language) => {
    document.cookie = `controlllm-language=${language}; path=/; max-age=${language ? 31536000 : 0}; samesite=strict`;
    location.reload();
  };

  const texts = {};
  const ready = fetch('/page/texts.json').then((answer) => answer.json()).then((read) => {
    Object.assign(texts, read.texts);
    document.documentElement.lang = read.language;
    document.documentElement.dir = read.direction;
    skip.textContent = say('page.skip');
  });
  const escape = (text) => {
    const holder = document.createElement('span');
    holder.textContent = text;
    return holder.innerHTML.replaceAll('"', '&quot;');
  };
  const say = (key, values = {}) => {
    let text = texts[key] ?? key;
    if (typeof text === 'object') {
      const form = new Intl.PluralRules(document.documentElement.lang || 'en').select(values.count);
      text = text[form] || text.other;
    }
    return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  };

  function patch(container, html) {
    const wanted = document.createElement('template');
    wanted.innerHTML = html;
    children(container, wanted.content);
  }

  function patchOne(element, html) {
    const wanted = document.createElement('template');
    wanted.innerHTML = html;
    const next = wanted.content.firstElementChild;
    if (element.isEqualNode(next)) return element;
    return node(element, next);
  }

  const keyOf = (item) => (item.nodeType === 1 ? item.getAttribute('data-key') : null);

  function alike(old, next) {
    if (old.nodeType !== next.nodeType || old.nodeName !== next.nodeName) return false;
    return keyOf(old) === keyOf(next);
  }

  function node(old, next) {
    if (!alike(old, next)) {
      old.replaceWith(next);
      return next;
    }
    if (old.nodeType !== 1) {
      if (old.data !== next.data) old.data = next.data;
      return old;
    }
    // What scripts have filled themselves is theirs.
    if (old.hasAttribute('data-mine')) return old;
    attributes(old, next);
    // A player or frame of the same source is left alone.
    if (!['AUDIO', 'VIDEO', 'IFRAME'].includes(old.nodeName)) children(old, next);
    return old;
  }

  function attributes(old, next) {
    // `open` and `hidden` of these belong to the person after the first time.
    const kept = new Set();
    if (old.nodeName === 'DETAILS') {
      kept.add('open');
      const wish = next.hasAttribute('open');
      if (old.wish !== undefined && old.wish !== wish && !old.touched) old.open = wish;
      old.wish = wish;
    }
    if (old.hasAttribute('data-for')) kept.add('hidden');
    // What a script of the page keeps up to date itself.
    for (const name of (old.dataset.keeps || '').split(' ')) kept.add(name);
    if (old.nodeName === 'SELECT') kept.add('value');
    for (const { name, value } of [...next.attributes]) {
      if (name === 'class' && old.classList.contains('is-selected')) {
        old.setAttribute('class', value + ' is-selected');
      } else if (!kept.has(name) && old.getAttribute(name) !== value) {
        old.setAttribute(name, value);
      }
    }
    for (const { name } of [...old.attributes]) {
      if (!kept.has(name) && !next.hasAttribute(name)) old.removeAttribute(name);
    }
  }

  function children(old, next) {
    const keyed = new Map();
    for (const item of old.childNodes) if (keyOf(item)) keyed.set(keyOf(item), item);
    let place = old.firstChild;
    for (const wanted of [...next.childNodes]) {
      const key = keyOf(wanted);
      let match = key ? keyed.get(key) : null;
      if (match && !alike(match, wanted)) match = null;
      if (!match && !key && place && !keyOf(place) && alike(place, wanted)) match = place;
      if (match) {
        if (key) keyed.delete(key);
        if (match === place) place = place.nextSibling;
        else old.insertBefore(match, place);
        if (!match.isEqualNode(wanted)) node(match, wanted);
        else if (match.nodeName === 'DETAILS') match.wish = wanted.hasAttribute('open');
      } else {
        old.insertBefore(wanted, place);
        remember(wanted);
      }
    }
    while (place) {
      const gone = place;
      place = place.nextSibling;
      gone.remove();
    }
  }

  // Folds that arrive remember how they were meant to be.
  function remember(element) {
    if (element.nodeType !== 1) return;
    const folds = element.nodeName === 'DETAILS' ? [element] : [];
    for (const fold of [...folds, ...element.querySelectorAll('details')]) fold.wish = fold.open;
  }

  // Whether a person means it; what had the focus gets it back.
  const sure = (words, action) => new Promise((resolve) => {
    const dialog = document.createElement('dialog');
    dialog.className = 'clm asking';
    dialog.setAttribute('role', 'alertdialog');
    dialog.setAttribute('aria-label', words);
    dialog.innerHTML = `<form method="dialog"><p>${escape(words)}</p><div class="buttons">
      <button class="small" value="">${escape(say('page.cancel'))}</button>
      <button class="primary" value="yes">${escape(action)}</button></div></form>`;
    dialog.addEventListener('close', () => { dialog.remove(); resolve(dialog.returnValue === 'yes'); });
    document.body.append(dialog);
    dialog.showModal();
  });

  const fieldsOf = (form) => {
    const fields = {};
    for (const item of form.elements) {
      if (!item.name || item.disabled) continue;
      if (item.type === 'checkbox' && !item.hasAttribute('value')) fields[item.name] = item.checked;
      else if (item.type === 'checkbox') (fields[item.name] ||= []).push(...(item.checked ? [item.value] : []));
      else if (item.type !== 'radio' || item.checked) fields[item.name] = item.value;
    }
    return fields;
  };

  // Passes on what is pressed, chosen and sent within an element; `act` gets its data.
  const delegate = (element, act, own = () => false) => {
    element.addEventListener('click', async (event) => {
      const fold = event.target.closest('summary');
      if (fold) fold.parentElement.touched = true;
      const button = event.target.closest('[data-do]');
      if (!button || button.disabled || button.matches('select, form, input') || own(button, event)) return;
      const { sure: words, ...data } = button.dataset;
      if (words && !await sure(words, button.textContent.trim() || button.getAttribute('aria-label'))) return;
      act(data);
    });
    element.addEventListener('change', ({ target }) => {
      if (target.matches('select[data-do], input[data-do]:not([type=search])')) {
        act({ ...target.dataset, chosen: target.type === 'checkbox' ? target.checked : target.value });
      }
    });
    element.addEventListener('submit', (event) => {
      event.preventDefault();
      act({ ...event.target.dataset, ...fieldsOf(event.target) });
    });
    element.addEventListener('keydown', (event) => {
      const button = event.target.closest('[data-do][role=button]');
      if (button && (event.key === 'Enter' || event.key === ' ')) {
        event.preventDefault();
        button.dispatchEvent(new MouseEvent('click', { bubbles: true }));
      }
    });
  };

  // Puts what Python draws in its place each time that it differs; `after` is told whether it did.
  const drawn = (element, props, watch, after = () => {}) => {
    const holder = element.querySelector('.clm');
    let shown = null;
    const draw = () => {
      const html = props.value.parts.join('');
      const differs = html !== shown;
      if (differs) patch(holder, shown = html);
      after(differs);
    };
    watch('value', draw);
    draw();
    return holder;
  };

  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  // The next node in a direction: near, and not far to the side.
  const nearest = (node, right, down) => {
    const middle = (item) => {
      const { x, y, width, height } = item.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    };
    const [x, y] = middle(node);
    let best = null;
    let least = Infinity;
    for (const other of node.closest('svg').querySelectorAll('g.node')) {
      const [otherX, otherY] = middle(other);
      const along = (otherX - x) * right + (otherY - y) * down;
      const cost = along + 2 * (Math.abs((otherX - x) * down) + Math.abs((otherY - y) * right));
      if (other !== node && along > 4 && cost < least) [best, least] = [other, cost];
    }
    return best;
  };

  // Arrow keys go from node to node of a drawn plan.
  const goOver = (event) => {
    const node = event.target.closest('g.node');
    const direction = ARROWS[event.key];
    if (!node || !direction) return;
    event.preventDefault();
    nearest(node, ...direction)?.focus();
  };

  window.controlllm = {
    ARROWS, ready, say, announce, escape, patch, patchOne, remember, sure, delegate, drawn, goOver, theme, colours, speak,
  };
})();
