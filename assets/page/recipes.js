// Recipes: keeping how something was done, the list of those kept, and those that files carry.
import { on } from './actions.js';
import { nameFor, sure } from './asking.js';
import { showBatch, startBatchForm } from './batch.js';
import { failed, toast } from './notices.js';
import { call, own } from './server.js';
import { find } from './state.js';
import { say } from './texts.js';

// A recipe is at most so long, in characters.
const LONGEST = 200000;
const MARK = '"controlllm-recipe"';

let looked = ''; // the text of the recipe that is looked at

export async function openRecipes() {
  try {
    find('recipes-body').innerHTML = await call('GET', own('recipes'));
    find('recipes').showModal();
  } catch (error) {
    failed(error);
  }
}

async function showAgain() {
  find('recipes-body').innerHTML = await call('GET', own('recipes'));
}

function showDialog(title, html) {
  find('recipe-title').textContent = title;
  find('recipe-body').innerHTML = html;
  if (!find('recipe').open) find('recipe').showModal();
}

async function openKeep(button) {
  try {
    showDialog(say('recipes.keep_title'), await call('GET', own(`recipes/new?turn=${button.dataset.turn}`)));
    find('recipe-name').select();
    find('recipe-form').addEventListener('submit', keep);
  } catch (error) {
    failed(error);
  }
}

async function keep(event) {
  event.preventDefault();
  const form = event.currentTarget;
  const words = [...form.querySelectorAll('[name=words]:checked')].map((field) => field.value);
  try {
    const turn = Number(form.dataset.turn);
    const kept = await call('POST', own('recipes'), { turn, words, name: form.elements.name.value });
    find('recipe').close();
    toast(say('recipes.kept', { name: kept.name }));
    openRecipes();
  } catch (error) {
    failed(error);
  }
}

// Shows a recipe from elsewhere, which the server has checked; nothing runs.
export async function lookAt(text) {
  try {
    const html = await call('POST', own('recipes/look'), { text });
    looked = text;
    find('recipes').close();
    showDialog(say('recipes.look'), html);
  } catch (error) {
    failed(error);
  }
}

async function keepLooked() {
  try {
    const kept = await call('POST', own('recipes'), { text: looked });
    find('recipe').close();
    toast(say('recipes.kept', { name: kept.name }));
    openRecipes();
  } catch (error) {
    failed(error);
  }
}

function openFile() {
  const chooser = document.createElement('input');
  chooser.type = 'file';
  chooser.accept = '.json,application/json';
  chooser.addEventListener('change', async () => {
    const [file] = chooser.files;
    if (file.size > LONGEST) return toast(say('recipes.too_long'), 'error');
    lookAt(await file.text());
  });
  chooser.click();
}

// Whether a file that was dropped or chosen is a recipe, which is then looked at.
export async function tookRecipe(file) {
  if (!file.name.endsWith('.json') || file.size > LONGEST) return false;
  const text = await file.text();
  if (!text.includes(MARK)) return false;
  await lookAt(text);
  return true;
}

// Offers the plan that an added file carries.
export function offerCarried(name, carried) {
  const offer = document.createElement('p');
  offer.className = 'toast carried';
  const words = document.createElement('span');
  words.textContent = carried.problem
    ? say('recipes.carried_not', { file: name, problem: carried.problem })
    : say('recipes.carried', { file: name, name: carried.name });
  offer.append(words);
  if (!carried.problem) {
    const use = document.createElement('button');
    use.type = 'button';
    use.className = 'small';
    use.textContent = say('recipes.carried_use');
    use.addEventListener('click', () => { offer.remove(); lookAt(carried.text); });
    offer.append(use);
  }
  const close = document.createElement('button');
  close.type = 'button';
  close.setAttribute('aria-label', say('page.close'));
  close.textContent = '×';
  close.addEventListener('click', () => offer.remove());
  offer.append(close);
  find('toasts').append(offer);
}

async function rename({ dataset }) {
  let kept = null;
  await nameFor({
    words: say('recipes.new_name'),
    action: say('recipes.rename'),
    value: dataset.name,
    take: async (name) => { kept = await call('POST', own(`recipes/${dataset.recipe}`), { name }); },
  });
  if (!kept) return;
  try {
    await showAgain();
    find('recipes').querySelector(`[data-do=rename-recipe][data-recipe="${dataset.recipe}"]`)?.focus();
    toast(say('recipes.renamed', { name: kept.name }));
  } catch (error) {
    failed(error);
  }
}

async function remove({ dataset }) {
  if (!await sure(say('recipes.delete_sure', { name: dataset.name }), say('recipes.delete'))) return;
  try {
    await call('DELETE', own(`recipes/${dataset.recipe}`));
    await showAgain();
    find('recipes').querySelector('[data-do=open-recipe]').focus();
    toast(say('recipes.deleted'));
  } catch (error) {
    failed(error);
  }
}

async function run({ dataset }) {
  try {
    const form = await call('GET', own(`recipes/${dataset.recipe}/form`));
    find('recipes').close();
    startBatchForm(form);
  } catch (error) {
    failed(error);
  }
}

// The drawing in pixels, twice as fine as it is shown: a browser draws what the server described.
async function savePicture({ dataset }) {
  try {
    const drawing = new Image();
    drawing.src = own(`recipes/${dataset.recipe}/file?as=svg`);
    await drawing.decode();
    const sheet = document.createElement('canvas');
    sheet.width = 2 * drawing.naturalWidth;
    sheet.height = 2 * drawing.naturalHeight;
    sheet.getContext('2d').drawImage(drawing, 0, 0, sheet.width, sheet.height);
    const content = await new Promise((done) => { sheet.toBlob(done, 'image/png'); });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(content);
    link.download = `${dataset.name}.png`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  } catch (error) {
    failed(error);
  }
}

on({
  recipes: openRecipes,
  'recipe-png': savePicture,
  'keep-recipe': openKeep,
  'keep-look': keepLooked,
  'open-recipe': openFile,
  'rename-recipe': rename,
  'delete-recipe': remove,
  'run-recipe': run,
  'open-batch': ({ dataset }) => { find('recipes').close(); showBatch(dataset.batch); },
});
