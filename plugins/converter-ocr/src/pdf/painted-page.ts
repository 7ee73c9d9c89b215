import type { Picture } from '../tesseract.js';
import { inverse, type Matrix } from './matrix.js';
import type { PlacedImage } from './placed-images.js';

const pointsPerInch = 72;
/** More dots per inch do not make text clearer. */
const maxDotsPerInch = 300;
const maxPixels = 20_000_000;
/** Smaller pages have no text (in pixels). */
const minSide = 24;
/** Where an image has more pixels than the page, this many in each direction become one. */
const maxSamples = 4;
const white = 255;

/** Paints the images of a page over each other in grey, or returns null if there are none. Sizes are in points. */
export function paintedPage(
  images: readonly PlacedImage[],
  width: number,
  height: number,
): Picture | null {
  const scale = Math.min(
    maxDotsPerInch / pointsPerInch,
    Math.sqrt(maxPixels / (width * height)),
    Math.max(0, ...images.map(dotsPerPoint)),
  );
  const [columns, rows] = [Math.round(width * scale), Math.round(height * scale)];
  if (!(Math.min(columns, rows) >= minSide)) return null;
  const head = Buffer.from(`P5 ${columns} ${rows} 255\n`, 'latin1');
  const bytes = new Uint8Array(head.length + columns * rows).fill(white);
  bytes.set(head);
  const canvas = { pixels: bytes.subarray(head.length), columns, rows };
  for (const image of images) paint(canvas, image, scale);
  const resolution = Math.round(scale * pointsPerInch);
  return { bytes, width: columns, height: rows, orientation: 1, resolution };
}

interface Canvas {
  readonly pixels: Uint8Array;
  readonly columns: number;
  readonly rows: number;
}

function dotsPerPoint({ width, height, place: [a, b, c, d] }: PlacedImage): number {
  const area = Math.abs(a * d - b * c);
  return area === 0 ? 0 : Math.sqrt((width * height) / area);
}

function paint({ pixels, columns, rows }: Canvas, image: PlacedImage, scale: number): void {
  const [a, b, c, d, e, f] = image.place;
  const place: Matrix = [a * scale, b * scale, c * scale, d * scale, e * scale, f * scale];
  const back = inverse(place);
  if (back === null) return;
  const samples = Math.min(maxSamples, Math.max(1, Math.round(dotsPerPoint(image) / scale)));
  const box = boxOf(place, columns, rows);
  const toneOf = tones(image);
  for (let y = box.top; y < box.bottom; y++) {
    for (let x = box.left; x < box.right; x++) {
      const at = y * columns + x;
      pixels[at] = sampled(image, back, toneOf, x, y, samples, pixels[at] ?? white);
    }
  }
}

/** Returns the mean of the image's pixels within one pixel of the page. */
function sampled(
  { width, height }: PlacedImage,
  [a, b, c, d, e, f]: Matrix,
  toneOf: (column: number, row: number, below: number) => number,
  x: number,
  y: number,
  samples: number,
  below: number,
): number {
  let sum = 0;
  for (let i = 0; i < samples; i++) {
    const down = y + (i + 0.5) / samples;
    for (let j = 0; j < samples; j++) {
      const right = x + (j + 0.5) / samples;
      const column = Math.floor((a * right + c * down + e) * width);
      const row = Math.floor((1 - (b * right + d * down + f)) * height);
      const isInside = column >= 0 && column < width && row >= 0 && row < height;
      sum += isInside ? toneOf(column, row, below) : below;
    }
  }
  return sum / (samples * samples);
}

/** Returns the brightness of an image's pixel, from 0 to 255. `below`: the pixel under it. */
function tones({
  width,
  pixels,
  data,
}: PlacedImage): (column: number, row: number, below: number) => number {
  const bytesOfRow = Math.ceil(width / 8);
  const isSet = (column: number, row: number): boolean =>
    (((data[row * bytesOfRow + (column >> 3)] ?? 0) >> (7 - (column & 7))) & 1) === 1;
  const grey = (at: number): number =>
    0.3 * (data[at] ?? white) + 0.59 * (data[at + 1] ?? white) + 0.11 * (data[at + 2] ?? white);
  switch (pixels) {
    case 'bits':
      return (column, row) => (isSet(column, row) ? white : 0);
    case 'mask':
      return (column, row, below) => (isSet(column, row) ? below : 0);
    case 'rgb':
      return (column, row) => grey((row * width + column) * 3);
    case 'rgba':
      return (column, row, below) => {
        const at = (row * width + column) * 4;
        const share = (data[at + 3] ?? 255) / 255;
        return grey(at) * share + below * (1 - share);
      };
  }
}

function boxOf([a, b, c, d, e, f]: Matrix, columns: number, rows: number) {
  const xs = [e, e + a, e + c, e + a + c];
  const ys = [f, f + b, f + d, f + b + d];
  return {
    left: Math.max(0, Math.floor(Math.min(...xs))),
    right: Math.min(columns, Math.ceil(Math.max(...xs))),
    top: Math.max(0, Math.floor(Math.min(...ys))),
    bottom: Math.min(rows, Math.ceil(Math.max(...ys))),
  };
}
