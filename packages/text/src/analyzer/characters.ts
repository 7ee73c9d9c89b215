/** Classes of code points. */
export const SEPARATOR = 0;
export const LOWER = 1;
export const UPPER = 2;
export const DIGIT = 3;
export const MARK = 4;
export const CONNECTOR = 5;
/** A letter of a script written without spaces. */
export const SPACELESS = 6;
/** An ideograph: spaceless, and meaningful on its own. */
export const IDEOGRAPH = 7;
/** A picture, currency or arrow beyond ASCII: a word of its own. */
export const SYMBOL = 8;

const IDEOGRAPHS = /^\p{Script=Han}$/u;
const SPACELESS_SCRIPTS =
  /^[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]$/u;
/** Length and voicing marks of kana, which Unicode assigns to no script. */
const KANA_SIGNS = /^[\u3099\u309A\u30FC\uFF70\uFF9E\uFF9F]$/u;
const LETTERS = /^\p{L}$/u;
const MARKS = /^\p{M}$/u;
/** Soft hyphen, joiners, byte order mark: invisible, and part of the word around them. */
const INVISIBLES: ReadonlySet<number> = new Set([0xad, 0x200c, 0x200d, 0x2060, 0xfeff]);
const NUMBERS = /^\p{N}$/u;
const UPPERS = /^[\p{Lu}\p{Lt}]$/u;
const CONNECTORS = /^\p{Pc}$/u;
const SYMBOLS = /^[\p{So}\p{Sc}\p{Sm}]$/u;

const PAGE_SIZE = 256;
const pages: (Uint8Array | undefined)[] = [];

function classify(codePoint: number): number {
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return SEPARATOR;
  if (INVISIBLES.has(codePoint)) return MARK;
  const character = String.fromCodePoint(codePoint);
  if (LETTERS.test(character) || MARKS.test(character)) {
    if (IDEOGRAPHS.test(character)) return IDEOGRAPH;
    if (SPACELESS_SCRIPTS.test(character) || KANA_SIGNS.test(character)) return SPACELESS;
    if (MARKS.test(character)) return MARK;
    return UPPERS.test(character) ? UPPER : LOWER;
  }
  if (NUMBERS.test(character)) return DIGIT;
  if (codePoint >= 0x80 && SYMBOLS.test(character)) return SYMBOL;
  return CONNECTORS.test(character) ? CONNECTOR : SEPARATOR;
}

function buildPage(page: number): Uint8Array {
  const classes = new Uint8Array(PAGE_SIZE);
  for (let i = 0; i < PAGE_SIZE; i++) classes[i] = classify(page * PAGE_SIZE + i);
  pages[page] = classes;
  return classes;
}

/** Class of a code point; tables are built when a block of 256 is first met. */
export function classOf(codePoint: number): number {
  const page = codePoint >> 8;
  const classes = pages[page] ?? buildPage(page);
  return classes[codePoint & 0xff] ?? SEPARATOR;
}

/** Classes of the ASCII characters, for the scanner's fast path. */
export const ASCII_CLASSES: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) =>
  classify(code),
);

/** `end`, or one less if cutting there would split a surrogate pair. */
export function cutBetweenCharacters(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
