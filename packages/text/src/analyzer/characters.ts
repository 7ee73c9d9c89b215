/** Classes of code points. */
export const separatorClass = 0;
export const lowerClass = 1;
export const upperClass = 2;
export const digitClass = 3;
export const markClass = 4;
export const connectorClass = 5;
/** A letter of a script without spaces. */
export const spacelessClass = 6;
/** An ideograph: spaceless, and a word on its own. */
export const ideographClass = 7;
/** A picture, currency or arrow beyond ASCII, which is a word on its own. */
export const symbolClass = 8;

const ideographs = /^\p{Script=Han}$/u;
const spacelessScripts =
  /^[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]$/u;
/** Length and voicing marks of kana, which Unicode assigns to no script. */
const kanaSigns = /^[\u3099\u309A\u30FC\uFF70\uFF9E\uFF9F]$/u;
const letters = /^\p{L}$/u;
const marks = /^\p{M}$/u;
/** Soft hyphen, joiners and byte order mark. Invisible parts of a word. */
const invisibles: ReadonlySet<number> = new Set([0xad, 0x200c, 0x200d, 0x2060, 0xfeff]);
const numbers = /^\p{N}$/u;
const upperLetters = /^[\p{Lu}\p{Lt}]$/u;
const connectors = /^\p{Pc}$/u;
const symbols = /^[\p{So}\p{Sc}\p{Sm}]$/u;

const pageSize = 256;
const pages: (Uint8Array | undefined)[] = [];

function classify(codePoint: number): number {
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return separatorClass;
  if (invisibles.has(codePoint)) return markClass;
  const character = String.fromCodePoint(codePoint);
  if (letters.test(character) || marks.test(character)) {
    if (ideographs.test(character)) return ideographClass;
    if (spacelessScripts.test(character) || kanaSigns.test(character)) return spacelessClass;
    if (marks.test(character)) return markClass;
    return upperLetters.test(character) ? upperClass : lowerClass;
  }
  if (numbers.test(character)) return digitClass;
  if (codePoint >= 0x80 && symbols.test(character)) return symbolClass;
  return connectors.test(character) ? connectorClass : separatorClass;
}

function buildPage(page: number): Uint8Array {
  const classes = new Uint8Array(pageSize);
  for (let i = 0; i < pageSize; i++) classes[i] = classify(page * pageSize + i);
  pages[page] = classes;
  return classes;
}

/** Returns the class of a code point. Builds tables of 256 code points on first use. */
export function classOf(codePoint: number): number {
  const page = codePoint >> 8;
  const classes = pages[page] ?? buildPage(page);
  return classes[codePoint & 0xff] ?? separatorClass;
}

/** Classes of the ASCII characters, for the scanner's fast path. */
export const asciiClasses: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) =>
  classify(code),
);

/** Returns `end`, or one less if a cut there would split a surrogate pair. */
export function cutBetweenCharacters(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
