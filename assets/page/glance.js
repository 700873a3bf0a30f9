// What marks on a picture mean, shown over it while somebody points.
import { listen, own } from './server.js';
import { name } from './state.js';

// Told apart by people of every colour vision (Okabe and Ito), lighter and darker in turn.
const COLOURS = [[0, 158, 115], [230, 159, 0], [86, 180, 233], [204, 121, 167], [240, 228, 66], [0, 114, 178], [213, 94, 0], [150, 150, 150]];

export const colourOf = (number) => ((number - 1) % COLOURS.length) + 1;

const page = name();
let turn = 0;
let asking = null;

// Asks what marks mean; what was asked before is given up. `receive` gets each answer as it comes:
// { pixels, width, height, name, final, share }, or { failed }.
export async function glance(image, marks, receive) {
  asking?.abort();
  const mine = asking = new AbortController();
  const take = async (answer) => {
    if (asking !== mine) return;
    if (answer.failed) return receive({ failed: answer.failed });
    if (!answer.mask) return;
    const bytes = Uint8Array.from(atob(answer.mask), (letter) => letter.charCodeAt(0));
    const found = await pixelsOf(new Blob([bytes], { type: 'image/png' }));
    if (asking === mine) receive({ ...found, name: answer.name, final: answer.final });
  };
  // One after the other: a first guess that takes longer to unpack must not come after what holds.
  let taken = Promise.resolve();
  try {
    turn += 1;
    await listen(own('glance'), { image, marks, page, turn }, mine.signal, (answer) => {
      taken = taken.then(() => take(answer));
    });
    await taken;
  } catch (error) {
    if (asking === mine && !mine.signal.aborted) receive({ failed: error.message });
  }
}

export const stopGlancing = () => { asking?.abort(); asking = null; };

// The pixels of a mask that is kept at this address.
export const maskOf = async (address) => pixelsOf(await (await fetch(address)).blob());

// Which pixels of a black and white picture are set; a large one is looked at in a smaller copy.
async function pixelsOf(blob) {
  const image = await createImageBitmap(blob);
  const scale = Math.min(1, 1024 / Math.max(image.width, image.height));
  const width = Math.max(1, Math.round(image.width * scale));
  const height = Math.max(1, Math.round(image.height * scale));
  const canvas = new OffscreenCanvas(width, height);
  const pen = canvas.getContext('2d');
  pen.drawImage(image, 0, 0, width, height);
  const { data } = pen.getImageData(0, 0, width, height);
  const pixels = new Uint8Array(width * height);
  let count = 0;
  for (let place = 0; place < pixels.length; place += 1) {
    pixels[place] = data[place * 4] > 127 ? 1 : 0;
    count += pixels[place];
  }
  return { pixels, width, height, share: count / pixels.length };
}

// Draws a mask: its colour, see-through, with a line that is light inside and dark outside, so that
// it is seen on any picture.
export function drawMask(canvas, mask, number, strength = 0.42) {
  const { pixels, width, height } = mask;
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  const pen = canvas.getContext('2d');
  const shown = pen.getImageData(0, 0, width, height);
  const colour = COLOURS[colourOf(number) - 1];
  const reach = Math.max(1, Math.round(Math.max(width, height) / 512));
  const is = (x, y) => x >= 0 && y >= 0 && x < width && y < height && pixels[y * width + x];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const inside = pixels[y * width + x];
      const all = is(x - reach, y) + is(x + reach, y) + is(x, y - reach) + is(x, y + reach);
      let rgba = null;
      if (inside) rgba = all < 4 ? [255, 255, 255, 255] : [...colour, strength * 255];
      else if (all) rgba = [10, 10, 10, 255];
      if (rgba) shown.data.set(rgba, (y * width + x) * 4);
    }
  }
  pen.putImageData(shown, 0, 0);
}

export function clearMask(canvas) {
  canvas.getContext('2d').clearRect(0, 0, canvas.width, canvas.height);
}

// The middle of a mask, in shares of its sides.
export function middleOf({ pixels, width, height }) {
  let across = 0, down = 0, count = 0;
  for (let place = 0; place < pixels.length; place += 1) {
    if (!pixels[place]) continue;
    across += place % width;
    down += Math.floor(place / width);
    count += 1;
  }
  return count ? { x: across / count / width, y: down / count / height } : { x: 0.5, y: 0.5 };
}
