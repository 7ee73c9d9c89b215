import { normalizeUnicode } from 'unpdf/pdfjs';

import type { Fonts } from './fonts.js';
import type { TextItem } from './pieces.js';
import type { ShownGlyph } from './shown-glyphs.js';

/** The limit of glyphs skipped in search of a run, because pdf.js leaves out text outside the page. */
const maxSkipped = 1_000;
/** After this many runs without glyphs, the other runs of the page are read unchanged. */
const maxMissed = 20;

const rightToLeftScripts = String.raw`\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}`;
const rightToLeftLetter = new RegExp(`[${rightToLeftScripts}]`, 'u');
const rightToLeftRuns = new RegExp(
  String.raw`[${rightToLeftScripts}\p{M}](?:[^\p{L}\p{N}\p{M}]*[${rightToLeftScripts}\p{M}])*`,
  'gu',
);
/** Presentation forms of Arabic letters, which pdf.js keeps. */
const forms = /[\ufe70-\ufefc]+/g;
/** Alef before lam is not a ligature. The font lists the letters of lam-alef from left to right. */
const alefBeforeLam = /^[\u0622\u0623\u0625\u0627\u0671]\u0644$/;

/** Whether a text has right-to-left letters. */
export function hasRightToLeftLetters(text: string): boolean {
  return rightToLeftLetter.test(text);
}

/** Counts the letters of a text, and the right-to-left ones. */
export function countLetters(text: string): { all: number; rightToLeft: number } {
  const letters = text.match(/\p{L}/gu) ?? [];
  return { all: letters.length, rightToLeft: letters.filter(hasRightToLeftLetters).length };
}

/** Finds the glyphs of each run of text and returns their letters. */
export class Letters {
  readonly #fonts: Fonts;
  readonly #glyphs: readonly ShownGlyph[];
  #next = 0;
  #missed = 0;

  /** `glyphs`: the glyphs of the page. Without any, all runs are read unchanged. */
  constructor(fonts: Fonts, glyphs: readonly ShownGlyph[]) {
    this.#fonts = fonts;
    this.#glyphs = glyphs.filter(({ font }) => !fonts.isUnreadable(font));
  }

  /**
   * Returns the text of a run. Restores the order of letters within a glyph and leaves out letters without Unicode
   * values.
   */
  textOf(item: TextItem): string {
    const { str, fontName } = item;
    const shown = visible(str);
    if (this.#fonts.isUnreadable(fontName)) {
      this.#fonts.leaveOut(fontName, Array.from(shown).length);
      return '';
    }
    const glyphs = shown === '' ? undefined : this.#find(shown);
    if (glyphs === undefined) return normalized(str);
    const text = hasRightToLeftLetters(str) ? inOrder(item, glyphs) : str;
    return normalized(this.#withoutUnknown(text, glyphs));
  }

  #find(shown: string): readonly ShownGlyph[] | undefined {
    if (this.#missed > maxMissed) return undefined;
    const letters = sorted(shown);
    const last = Math.min(this.#next + maxSkipped, this.#glyphs.length - 1);
    for (let first = this.#next; first <= last; first++) {
      const found = startOf(this.#glyphs, first, shown.length);
      if (sorted(lettersOf(found)) !== letters) continue;
      this.#next = first + found.length;
      return found;
    }
    this.#missed++;
    return undefined;
  }

  #withoutUnknown(text: string, glyphs: readonly ShownGlyph[]): string {
    const isRightToLeft = hasRightToLeftLetters(text);
    let kept = text;
    let at = 0;
    for (const glyph of glyphs) {
      const { letters, font } = glyph;
      const found = kept.indexOf(letters, isRightToLeft ? 0 : at);
      if (this.#fonts.isKnown(glyph)) {
        at = Math.max(found + letters.length, at);
      } else if (found >= 0) {
        kept = kept.slice(0, found) + kept.slice(found + letters.length);
        this.#fonts.leaveOut(font, 1);
      }
    }
    return kept;
  }
}

/** Restores the order of letters within each glyph, because pdf.js reverses a run as a whole. */
function inOrder({ str, dir }: TextItem, glyphs: readonly ShownGlyph[]): string {
  if (!glyphs.some(({ letters }) => letters.length > 1 && hasRightToLeftLetters(letters)))
    return str;
  const isReversed = dir === 'rtl';
  const all = isReversed ? glyphs.toReversed() : glyphs;
  let next = 0;
  return str.replaceAll(rightToLeftRuns, (run) => {
    const shown = visible(run);
    for (let first = next; first < all.length; first++) {
      const found = startOf(all, first, shown.length);
      const ordered = isReversed ? found : found.toReversed();
      if (ordered.map(({ letters }) => reversed(letters)).join('') !== shown) continue;
      next = first + found.length;
      return withSpacesOf(run, ordered.map(({ letters }) => ownOrder(letters)).join(''));
    }
    return run;
  });
}

/** Returns the glyphs from `first` on with `length` letters. */
function startOf(
  glyphs: readonly ShownGlyph[],
  first: number,
  length: number,
): readonly ShownGlyph[] {
  let at = first;
  for (let left = length; left > 0 && at < glyphs.length; at++) {
    left -= visible(glyphs[at]?.letters ?? '').length;
  }
  return glyphs.slice(first, at);
}

function lettersOf(glyphs: readonly ShownGlyph[]): string {
  return visible(glyphs.map(({ letters }) => letters).join(''));
}

function ownOrder(letters: string): string {
  return alefBeforeLam.test(letters) ? reversed(letters) : letters;
}

/** Returns `letters` with the spaces of a text of the same length. */
function withSpacesOf(text: string, letters: string): string {
  let at = 0;
  return text.replaceAll(/\S/g, () => letters[at++] ?? '');
}

function reversed(text: string): string {
  return text.split('').toReversed().join('');
}

function sorted(text: string): string {
  return text.split('').toSorted().join('');
}

/** Removes spaces, because pdf.js adds some, and signs that it drops next to right-to-left letters. */
function visible(text: string): string {
  return text.replaceAll(/[\s<>]/g, '');
}

/** Replaces ligatures and presentation forms by letters. */
function normalized(text: string): string {
  const plain: string = normalizeUnicode(text);
  return plain.replaceAll(forms, (letters) => letters.normalize('NFKC')).replaceAll('\ufffd', '');
}
