import type { PdfParagraph } from './paragraphs.js';

/** The minimum ratio of a heading's font size to that of text. */
const minHeadingRatio = 1.15;
const maxHeadingChars = 200;
const maxLevel = 4;

/** Finds heading levels by font size. The size of most characters is that of text. */
export class Headings {
  readonly #levels = new Map<number, number>();

  constructor(paragraphs: readonly PdfParagraph[]) {
    const used = new Map<number, number>();
    for (const { size, text } of paragraphs) {
      const rounded = Math.round(size * 2) / 2;
      used.set(rounded, (used.get(rounded) ?? 0) + text.length);
    }
    let body = 0;
    for (const [size, count] of used) if (count > (used.get(body) ?? 0)) body = size;
    const larger = [...used.keys()]
      .filter((size) => size >= body * minHeadingRatio)
      .sort((a, b) => b - a);
    let level = 0;
    let last = Infinity;
    for (const size of larger) {
      if (size < last * 0.93) {
        level++;
        last = size;
      }
      this.#levels.set(size, Math.min(level, maxLevel));
    }
  }

  /** Returns undefined for text. */
  levelOf({ size, text, isItem }: PdfParagraph): number | undefined {
    if (isItem || text.length > maxHeadingChars || !/\p{L}{2}/u.test(text)) return undefined;
    return this.#levels.get(Math.round(size * 2) / 2);
  }
}
