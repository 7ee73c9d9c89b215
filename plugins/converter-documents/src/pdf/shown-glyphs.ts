import { OPS, type PDFPageProxy } from 'unpdf/pdfjs';

import { membersOf } from './members.js';

/** A drawn glyph: its letters, its code and its font. */
export interface ShownGlyph {
  readonly letters: string;
  readonly code: number;
  readonly font: string;
}

/** The limit of glyphs per page. A page of text has about five thousand. */
const maxGlyphs = 2_000_000;
/** The limit of operators per page. A page of text has a few thousand, a map a hundred thousand. */
const maxOperators = 300_000;
/** The flags of pdf.js for the displayed content without annotations, as a list of operators. */
const intent = 2 + 64 + 256;

/**
 * Reads the glyphs of a page in the order of drawing, and the fonts that it names. The text runs of pdf.js do not contain
 * the letters of single glyphs.
 */
export async function shownGlyphs(
  page: PDFPageProxy,
): Promise<{ glyphs: ShownGlyph[]; fonts: ReadonlySet<string> }> {
  const reader = operatorsOf(page);
  const found = new GlyphReader();
  let operators = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const { fnArray, argsArray } = membersOf(value);
    if (!Array.isArray(fnArray) || !Array.isArray(argsArray)) continue;
    for (const [i, name] of fnArray.entries()) found.read(name, argsArray[i]);
    operators += fnArray.length;
    if (found.glyphs.length <= maxGlyphs && operators <= maxOperators) continue;
    await reader.cancel(new Error('The page has enough operators.'));
    break;
  }
  return { glyphs: found.glyphs, fonts: found.fonts };
}

/** Processes the operators that select fonts and show text. */
class GlyphReader {
  readonly glyphs: ShownGlyph[] = [];
  readonly fonts = new Set<string>();
  readonly #saved: string[] = [];
  #font = '';

  read(operator: unknown, parameters: unknown): void {
    const list: readonly unknown[] = Array.isArray(parameters) ? parameters : [];
    switch (operator) {
      case OPS.save:
      case OPS.paintFormXObjectBegin:
        this.#saved.push(this.#font);
        break;
      case OPS.restore:
      case OPS.paintFormXObjectEnd:
        this.#font = this.#saved.pop() ?? this.#font;
        break;
      case OPS.setFont:
        this.#choose(list[0]);
        break;
      case OPS.setGState:
        this.#setState(list[0]);
        break;
      case OPS.showText:
        for (const glyph of Array.isArray(list[0]) ? list[0] : []) this.#show(glyph);
        break;
    }
  }

  #choose(font: unknown): void {
    if (typeof font !== 'string') return;
    this.#font = font;
    this.fonts.add(font);
  }

  #setState(entries: unknown): void {
    for (const entry of Array.isArray(entries) ? entries : []) {
      if (!Array.isArray(entry) || entry[0] !== 'Font') continue;
      this.#choose(Array.isArray(entry[1]) ? entry[1][0] : undefined);
    }
  }

  /** Adds a glyph. Skips numbers, which are distances between glyphs. */
  #show(glyph: unknown): void {
    const { unicode, originalCharCode } = membersOf(glyph);
    if (typeof unicode !== 'string' || typeof originalCharCode !== 'number') return;
    // pdf.js drops these characters from its runs or replaces them by spaces.
    if (/^\s|\p{Cf}$/u.test(unicode)) return;
    this.glyphs.push({
      letters: unicode.replaceAll(/\s/g, ''),
      code: originalCharCode,
      font: this.#font,
    });
  }
}

/** Opens the stream behind `getOperatorList` of pdf.js, which can be cancelled. The function itself has no limit. */
function operatorsOf(page: PDFPageProxy): ReadableStreamDefaultReader<unknown> {
  const { _transport: transport }: { _transport: Transport } = page;
  const pageIndex = page.pageNumber - 1;
  const data = { pageId: pageIndex, pageIndex, intent, cacheKey: 'text', annotationStorage: null };
  return transport.messageHandler
    .sendWithStream('GetOperatorList', { ...data, modifiedIds: null })
    .getReader();
}

interface Transport {
  readonly messageHandler: {
    sendWithStream(action: string, data: object): ReadableStream<unknown>;
  };
}
