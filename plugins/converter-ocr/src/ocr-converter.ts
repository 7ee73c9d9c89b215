import type { Conversion, ConversionRequest, Converter } from '@trove/core';

import { imagePages } from './image/image-pages.js';
import type { LanguageData } from './languages.js';
import { MarkdownPages } from './markdown-pages.js';
import { pdfPages } from './pdf/pdf-pages.js';
import { textOfWords } from './recognized-text.js';
import { Tesseract, type Picture } from './tesseract.js';

/** Raise this when the same bytes produce different Markdown. Documents are then converted again. */
const converterVersion = 1;
/** At a few seconds per page, this stays within the hour allowed for a document. */
const maxPages = 200;
/** Tesseract keeps the memory of its largest picture. After a picture this large, it is restarted. */
const largePixels = 12_000_000;

/** Recognizes the text in pictures and in documents that consist of pictures. */
export class OcrConverter implements Converter {
  readonly version: string;
  readonly #languages: readonly LanguageData[];
  #tesseract: Promise<Tesseract> | null = null;

  constructor(languages: readonly LanguageData[]) {
    this.#languages = languages;
    this.version = `ocr ${converterVersion} ${languages.map(({ name }) => name).join('+')}`;
  }

  async convert({ bytes, mediaType, signal, progress }: ConversionRequest): Promise<Conversion> {
    const pictures = mediaType === 'application/pdf' ? await pdfPages(bytes) : imagePages(bytes);
    try {
      const pages = new MarkdownPages(pictures.count);
      for (let number = 1; number <= Math.min(pictures.count, maxPages); number++) {
        signal.throwIfAborted();
        const picture = await pictures.page(number);
        if (picture !== null) pages.add(number, await this.#textOf(picture));
        progress?.();
      }
      return pages.finish(maxPages);
    } finally {
      await pictures.close();
    }
  }

  async close(): Promise<void> {
    this.#tesseract = null;
  }

  async #textOf(picture: Picture): Promise<string> {
    this.#tesseract ??= Tesseract.start(this.#languages);
    try {
      const tesseract = await this.#tesseract;
      const text = textOfWords(tesseract.recognise(picture));
      if (picture.width * picture.height > largePixels) this.#tesseract = null;
      return text;
    } catch (error) {
      // Its state is unknown, so the next picture gets a new instance.
      this.#tesseract = null;
      throw error;
    }
  }
}
