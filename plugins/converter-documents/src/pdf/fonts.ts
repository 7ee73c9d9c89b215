import type { PDFPageProxy } from 'unpdf/pdfjs';

import { membersOf } from './members.js';
import type { ShownGlyph } from './shown-glyphs.js';

/** The known properties of a font. */
interface Font {
  readonly name: string;
  /** The codes with known letters: all, none, or those in the map. */
  readonly letters: 'all' | 'none' | ReadonlyMap<number, string>;
  /** All letters in the map. */
  readonly alphabet: ReadonlySet<string>;
}

const unknown: Font = { name: '', letters: 'all', alphabet: new Set() };

/** The fonts of a document with the letters of their codes and the number of omitted letters. */
export class Fonts {
  readonly #fonts = new Map<string, Font>();
  readonly #leftOut = new Map<string, number>();

  knows(id: string): boolean {
    return this.#fonts.has(id);
  }

  /** Reads the fonts that a page names. Other fonts in `used` stay unknown. */
  async learn(
    { commonObjs }: PDFPageProxy,
    named: Iterable<string>,
    used: Iterable<string>,
  ): Promise<void> {
    for (const id of named) {
      if (this.#fonts.has(id)) continue;
      const font = await new Promise<unknown>((resolve) => {
        commonObjs.get(id, resolve);
      });
      this.#fonts.set(id, fontFrom(font));
    }
    for (const id of used) if (!this.#fonts.has(id)) this.#fonts.set(id, unknown);
    // Frees the fonts and outlines of glyphs, which the library keeps for drawing.
    for (const [id] of commonObjs) if (typeof id === 'string') commonObjs.delete(id);
  }

  /** Whether no letter of a font is known. */
  isUnreadable(id: string): boolean {
    return this.#fontOf(id).letters === 'none';
  }

  /** Whether a text may contain codes without a known letter, because pdf.js returns such codes as letters. */
  mayLack(id: string, text: string): boolean {
    const { letters, alphabet } = this.#fontOf(id);
    if (typeof letters === 'string') return false;
    for (const letter of text) if (letter !== ' ' && !alphabet.has(letter)) return true;
    return false;
  }

  isKnown({ font: id, code }: ShownGlyph): boolean {
    const { letters } = this.#fontOf(id);
    return typeof letters === 'string' ? letters === 'all' : letters.has(code);
  }

  leaveOut(id: string, count: number): void {
    const { name } = this.#fontOf(id);
    if (count > 0) this.#leftOut.set(name, (this.#leftOut.get(name) ?? 0) + count);
  }

  #fontOf(id: string): Font {
    return this.#fonts.get(id) ?? unknown;
  }

  /** One sentence for each font that lacks letters. */
  get notices(): string[] {
    return Array.from(this.#leftOut, ([name, count]) => {
      const font = name === '' ? 'an unnamed font' : `the font ${name}`;
      return count === 1
        ? `1 letter of ${font} has no Unicode value and was left out.`
        : `${count} letters of ${font} have no Unicode values and were left out.`;
    });
  }
}

function fontFrom(value: unknown): Font {
  const { toUnicode, composite, differences } = membersOf(value);
  const name = nameOf(value);
  const { _map: map } = membersOf(toUnicode);
  if (!Array.isArray(map)) {
    // The codes of a composite font are numbers of glyphs. Without a mapping, pdf.js returns them as letters.
    const isCoded = composite === true && typeof toUnicode === 'object';
    return { name, letters: isCoded ? 'none' : 'all', alphabet: new Set() };
  }
  const letters = new Map<number, string>();
  for (const [code, letter] of Object.entries(map)) {
    const text = typeof letter === 'number' ? String.fromCharCode(letter) : letter;
    if (typeof text === 'string' && text !== '' && text !== '\ufffd')
      letters.set(Number(code), text);
  }
  if (composite !== true) addNumbered(letters, Array.isArray(differences) ? differences : []);
  return { name, letters, alphabet: new Set([...letters.values()].join('')) };
}

/** The name of a font without the six letters that mark a subset. */
function nameOf(font: unknown): string {
  if (typeof font !== 'object' || font === null || !('name' in font)) return '';
  return typeof font.name === 'string' ? font.name.replace(/^[A-Z]{6}\+/, '') : '';
}

/**
 * Adds letters for the codes of a simple font that have none. The code is the letter if the encoding names no glyph, or
 * names it by the code's own number (as TeX does). Other names give no information.
 */
function addNumbered(letters: Map<number, string>, names: readonly unknown[]): void {
  for (let code = 0x20; code < 0x100; code++) {
    if (letters.has(code)) continue;
    const name = names[code];
    const number = typeof name === 'string' ? /^\p{L}{1,2}0*(\d+)$/u.exec(name)?.[1] : '';
    if (number === '' || Number(number) === code) letters.set(code, String.fromCharCode(code));
  }
}
