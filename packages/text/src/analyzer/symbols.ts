import { ASCII_CLASSES, DIGIT } from './characters.js';
import { foldCase } from './fold.js';
import type { Word } from './word.js';

/** Operators of programming languages that are words where they stand alone. */
const OPERATORS: ReadonlySet<string> = new Set(
  `== != === !== <= >= <=> => -> <- && || ++ += -= *= /= %= &= |= ^= ||= &&= ??= << >> >>> <<= >>= **=
  := ~= =~ !~ |> <> <|`.split(/\s+/),
);
const LONGEST_OPERATOR = 3;

/** Opens a word whose first letter follows at once: `.env`, `#include`, `@Inject`. */
const OPENING: ReadonlySet<number> = new Set(Array.from('.#@', (sign) => sign.charCodeAt(0)));
/** May stand before such a word, beside white space. */
const BEFORE: ReadonlySet<number> = new Set(Array.from('("\'`[{<,', (sign) => sign.charCodeAt(0)));
/** Languages that are called by a letter and signs. */
const SIGNED_LETTER = /^(?:[a-z]\+\+|[acfj]#)(?![\p{L}\p{N}_+#])/iu;
const SIGNED_LENGTH = 3;

/** Of a longer name, the beginning counts: a term has at most 40 characters. */
const LONGEST_NAME = 39;

const SPACE = 0x20;

function isBlank(text: string, at: number): boolean {
  return at < 0 || at >= text.length || text.charCodeAt(at) <= SPACE;
}

/** A word of signs: a term, but no neighbour of others. */
export function symbol(raw: string): Word {
  return { raw, folded: foldCase(raw), terms: foldCase(raw), parts: [] };
}

/** The operator that begins at a separator and stands between white space, or null. */
export function operatorAt(text: string, start: number): Word | null {
  if (!isBlank(text, start - 1)) return null;
  let end = start;
  while (end - start <= LONGEST_OPERATOR && !isBlank(text, end)) end++;
  const operator = text.slice(start, end);
  return OPERATORS.has(operator) ? symbol(operator) : null;
}

/** A word together with the signs that belong to it (`C++`, `.env`), or null for one without. */
export function signedWord(text: string, start: number, end: number): Word | null {
  if (end === start + 1) {
    const [signed] = SIGNED_LETTER.exec(text.slice(start, start + SIGNED_LENGTH + 1)) ?? [];
    return signed === undefined ? null : symbol(signed);
  }
  if (!OPENING.has(text.charCodeAt(start - 1)) || isDigit(text.charCodeAt(start))) return null;
  const isAlone = isBlank(text, start - 2) || BEFORE.has(text.charCodeAt(start - 2));
  return isAlone ? symbol(text.slice(start - 1, Math.min(end, start + LONGEST_NAME))) : null;
}

function isDigit(code: number): boolean {
  return ASCII_CLASSES[code] === DIGIT;
}
