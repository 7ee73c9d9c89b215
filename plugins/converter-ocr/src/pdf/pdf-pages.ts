import { polyfillForPdf, pdfOptions } from '@trove/text/media-types';
import { getDocumentProxy } from 'unpdf';
import type { PDFDocumentProxy } from 'unpdf/pdfjs';

import type { Pictures } from '../pictures.js';
import { damaged } from '../errors.js';
import type { Picture } from '../tesseract.js';
import { paintedPage } from './painted-page.js';
import { placedImages } from './placed-images.js';

/** Images with more pixels are left out. */
const maxPixels = 40_000_000;

/** Returns the images on the pages of a PDF, without drawings and text. */
export async function pdfPages(bytes: Uint8Array): Promise<Pictures> {
  const document = await open(bytes);
  return {
    count: document.numPages,
    page: (number) => pictureOf(document, number),
    close: () => document.destroy(),
  };
}

/** The library takes ownership of the bytes. */
async function open(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  polyfillForPdf();
  try {
    return await getDocumentProxy(new Uint8Array(bytes), {
      ...pdfOptions,
      maxImageSize: maxPixels,
    });
  } catch (error) {
    throw damaged('is not a readable PDF', error);
  }
}

/** Returns null for a page without images and for a damaged one, because the other pages may be intact. */
async function pictureOf(document: PDFDocumentProxy, number: number): Promise<Picture | null> {
  try {
    const page = await document.getPage(number);
    try {
      const images = await placedImages(page);
      const { width, height } = page.getViewport({ scale: 1 });
      return paintedPage(images, width, height);
    } finally {
      page.cleanup();
    }
  } catch {
    return null;
  }
}
