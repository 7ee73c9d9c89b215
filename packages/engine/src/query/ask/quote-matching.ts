import { analyze } from '@trove/text/analyzer';

/** A quote with fewer words says too little to prove a statement. */
const minQuoteWords = 2;
/** Characters that models often write instead of others. */
const equalCharacters: ReadonlyMap<string, RegExp> = new Map([
  ["'", /[‘’‚‛′]/u],
  ['"', /[“”„‟″«»]/u],
  ['-', /[‐‑‒–—−]/u],
]);
const wordCharacter = /[\p{L}\p{N}_]/u;
/** Scripts without spaces between words. */
const spaceless =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]/u;
const digit = /\p{N}/u;
const numberSign = /[.,-]/u;

/** A part of a text: offsets in UTF-16 code units, `end` exclusive. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** A text in which case and white space do not differ, with the original position of each character. */
interface NormalizedText {
  readonly characters: readonly string[];
  readonly spans: readonly TextSpan[];
}

/**
 * Finds a quote in a text, ignoring case, white space and the shape of quotation marks and dashes. Returns null if the
 * quote does not occur, has fewer than two words, or cuts a word or a number.
 */
export function findQuote(text: string, quote: string): TextSpan | null {
  if (analyze(quote).length < minQuoteWords) return null;
  const wanted = normalize(quote.trim()).characters.join('');
  const { characters, spans } = normalize(text);
  const searched = characters.join('');
  // Positions in the joined text count UTF-16 code units.
  const indexAt = new Map<number, number>();
  let offset = 0;
  for (const [index, character] of characters.entries()) {
    indexAt.set(offset, index);
    offset += character.length;
  }
  indexAt.set(offset, characters.length);
  for (let at = searched.indexOf(wanted); at !== -1; at = searched.indexOf(wanted, at + 1)) {
    const [first, end] = [indexAt.get(at), indexAt.get(at + wanted.length)];
    if (first === undefined || end === undefined || !isWhole(characters, first, end)) continue;
    return { start: spans[first]?.start ?? 0, end: spans[end - 1]?.end ?? 0 };
  }
  return null;
}

function normalize(text: string): NormalizedText {
  const characters: string[] = [];
  const spans: TextSpan[] = [];
  let start = 0;
  for (const original of text) {
    const end = start + original.length;
    const isSpace = /\s/u.test(original);
    if (!isSpace) {
      characters.push(simplify(original));
      spans.push({ start, end });
    } else if (characters.at(-1) !== ' ') {
      characters.push(' ');
      spans.push({ start, end });
    }
    start = end;
  }
  return { characters, spans };
}

function simplify(character: string): string {
  if (character < '\u00ab') return character.toLowerCase();
  for (const [plain, variants] of equalCharacters) if (variants.test(character)) return plain;
  return character.toLowerCase();
}

/** Tests if a part begins and ends between words. `5 days` is no part of `15 days` or of `1.5 days`. */
function isWhole(characters: readonly string[], first: number, end: number): boolean {
  const at = (index: number): string => characters[index] ?? ' ';
  const cuts = (inner: string, outer: string, beyond: string): boolean =>
    (wordCharacter.test(inner) && wordCharacter.test(outer) && !spaceless.test(inner)) ||
    (digit.test(inner) && numberSign.test(outer) && digit.test(beyond));
  return !cuts(at(first), at(first - 1), at(first - 2)) && !cuts(at(end - 1), at(end), at(end + 1));
}
