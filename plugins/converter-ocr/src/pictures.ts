import type { Picture } from './tesseract.js';

/** The pages of a document as pictures in order. */
export interface Pictures {
  readonly count: number;
  /** Returns null for a page without a picture. */
  page(number: number): Promise<Picture | null>;
  close(): Promise<void>;
}
