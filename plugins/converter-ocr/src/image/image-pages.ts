import { imageSize } from 'image-size';

import type { Pictures } from '../pictures.js';
import { damaged, empty, tooComplex } from '../errors.js';
import type { Picture } from '../tesseract.js';
import { tiffBeginningAt, tiffDirectories } from './tiff-pages.js';

/** An A4 page at 600 dots per inch has 35 million pixels. */
const maxPixels = 40_000_000;
/** Smaller pictures are icons without text. */
const minSide = 24;

/** Throws `document_damaged`, `document_too_complex` and, for an icon, `document_empty`. */
export function imagePages(bytes: Uint8Array): Pictures {
  const directories = tiffDirectories(bytes);
  if (directories === null) return pictures(1, () => bytes);
  if (directories.length === 0) throw damaged('is a TIFF without a page');
  return pictures(directories.length, (at) => tiffBeginningAt(bytes, directories[at] ?? 0));
}

function pictures(count: number, bytesOf: (at: number) => Uint8Array): Pictures {
  return {
    count,
    page: async (number) => {
      const bytes = bytesOf(number - 1);
      const size = sizeOf(bytes);
      if (Math.min(size.width, size.height) >= minSide) return { bytes, ...size };
      if (count > 1) return null;
      throw empty('It is too small to have text in it.');
    },
    close: async () => undefined,
  };
}

/** Reads the size from the header, so that too large pictures are never decoded. */
function sizeOf(bytes: Uint8Array): Omit<Picture, 'bytes'> {
  const { width, height, orientation = 1 } = measured(bytes);
  if (!(width > 0 && height > 0)) throw damaged('is not a readable picture');
  if (width * height > maxPixels)
    throw tooComplex(`has ${width} × ${height} pixels: more than ${maxPixels / 1e6} million`);
  return { width, height, orientation, resolution: null };
}

function measured(bytes: Uint8Array): ReturnType<typeof imageSize> {
  try {
    return imageSize(bytes);
  } catch (error) {
    throw damaged('is not a readable picture', error);
  }
}
