import type { Picture } from './tesseract.js';

/** A document's pages as pictures, in order. */
export interface Pictures {
  readonly count: number;
  /** Null for a page on which there is nothing to recognise. */
  page(number: number): Promise<Picture | null>;
  close(): Promise<void>;
}
