import type { Conversion, DocumentPart } from '@trove/core';

import { empty } from './errors.js';

/** The maximum number of characters of Markdown per document. */
const maxChars = 16 * 1024 * 1024;

/** Collects the texts of pages and the lines where they begin. */
export class MarkdownPages {
  readonly #count: number;
  readonly #texts: string[] = [];
  readonly #parts: DocumentPart[] = [];
  #lines = 0;
  #length = 0;

  constructor(count: number) {
    this.#count = count;
  }

  /** Pages without text are not recorded. */
  add(number: number, text: string): void {
    if (text === '' || this.#length + text.length > maxChars) return;
    if (this.#count > 1) this.#parts.push({ line: this.#lines + 1, kind: 'page', number });
    this.#texts.push(text);
    this.#lines += text.split('\n').length + 1;
    this.#length += text.length;
  }

  /** Throws `document_empty` if there is no text. `read`: the maximum number of pages that were read. */
  finish(read: number): Conversion {
    if (this.#texts.length === 0) {
      throw empty('No text could be recognised in it.');
    }
    const note =
      this.#count > read
        ? [`> The document has ${this.#count} pages; the text of the first ${read} is recognised.`]
        : [];
    const markdown = `${[...this.#texts, ...note].join('\n\n')}\n`;
    return { markdown, ...(this.#parts.length === 0 ? {} : { parts: this.#parts }) };
  }
}
