import { getResolvedPDFJS } from 'unpdf';
import type { PDFPageProxy } from 'unpdf/pdfjs';

import { combined, matrixOf, type Matrix } from './matrix.js';

/** Pixel formats as numbered by pdf.js. */
const grey1Bit = 1;
const rgb = 2;
const rgba = 3;

/** An image on a page. */
export interface PlacedImage {
  readonly width: number;
  readonly height: number;
  /** `mask`: a clear bit is painted black, and a set bit is transparent. */
  readonly pixels: 'bits' | 'mask' | 'rgb' | 'rgba';
  readonly data: Uint8Array | Uint8ClampedArray;
  /** Maps the unit square, with the image's upper edge on top, to points from the upper left corner of the page. */
  readonly place: Matrix;
}

const maxImages = 2_000;
const kinds: ReadonlyMap<unknown, PlacedImage['pixels']> = new Map([
  [grey1Bit, 'bits'],
  [rgb, 'rgb'],
  [rgba, 'rgba'],
]);

/** Returns the images of a page in painting order. */
export async function placedImages(page: PDFPageProxy): Promise<PlacedImage[]> {
  const { OPS } = await getResolvedPDFJS();
  const { fnArray, argsArray } = await page.getOperatorList();
  const images: PlacedImage[] = [];
  const outer: Matrix[] = [];
  let place = matrixOf(page.getViewport({ scale: 1 }).transform) ?? [1, 0, 0, 1, 0, 0];
  const add = async (image: unknown, isMask: boolean, at: Matrix = place): Promise<void> => {
    const found = imageOf(await resolved(page, image), isMask, at);
    if (found !== null && images.length < maxImages) images.push(found);
  };
  for (const [i, operation] of fnArray.entries()) {
    const [first, ...others]: unknown[] = argsArray[i] ?? [];
    switch (operation) {
      case OPS.save:
        outer.push(place);
        break;
      case OPS.restore:
      case OPS.paintFormXObjectEnd:
        place = outer.pop() ?? place;
        break;
      case OPS.transform:
        place = combined(place, matrixOf([first, ...others]) ?? identity);
        break;
      case OPS.paintFormXObjectBegin:
        outer.push(place);
        place = combined(place, matrixOf(first) ?? identity);
        break;
      case OPS.paintImageXObject:
      case OPS.paintInlineImageXObject:
        await add(first, false);
        break;
      case OPS.paintImageMaskXObject:
        await add(first, true);
        break;
      case OPS.paintImageMaskXObjectGroup:
        for (const each of Array.isArray(first) ? first : []) {
          const own = matrixOf(memberOf(each, 'transform'));
          if (own !== null) await add(each, true, combined(place, own));
        }
        break;
    }
  }
  return images;
}

const identity: Matrix = [1, 0, 0, 1, 0, 0];

/** An image or its data may be a reference to an object of the page. */
async function resolved(page: PDFPageProxy, image: unknown): Promise<unknown> {
  if (typeof image === 'string') return objectOf(page, image);
  const data = memberOf(image, 'data');
  if (typeof data !== 'string' || !isObject(image)) return image;
  const found = await objectOf(page, data);
  return isObject(found) ? { ...image, ...found } : image;
}

function objectOf(page: PDFPageProxy, name: string): Promise<unknown> {
  const objects = name.startsWith('g_') ? page.commonObjs : page.objs;
  return new Promise((resolve) => {
    objects.get(name, resolve);
  });
}

function imageOf(image: unknown, isMask: boolean, place: Matrix): PlacedImage | null {
  const width = memberOf(image, 'width');
  const height = memberOf(image, 'height');
  const data = memberOf(image, 'data');
  const pixels = isMask ? 'mask' : kinds.get(memberOf(image, 'kind'));
  if (typeof width !== 'number' || typeof height !== 'number' || pixels === undefined) return null;
  if (!(data instanceof Uint8Array || data instanceof Uint8ClampedArray)) return null;
  return { width, height, pixels, data, place };
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? Reflect.get(value, name) : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
