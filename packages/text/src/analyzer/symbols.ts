import { asciiClasses, digitClass } from './characters.js';
import { foldCase } from './fold.js';
import type { AnalyzedWord } from './word.js';

/** Operators of programming languages. They are words if surrounded by white space. */
const operators: ReadonlySet<string> = new Set(
  `== != === !== <= >= <=> => -> <- && || ++ += -= *= /= %= &= |= ^= ||= &&= ??= << >> >>> <<= >>= **=
  := ~= =~ !~ |> <> <|`.split(/\s+/),
);
const maxOperatorLength = 3;

/** Signs at the start of a name: `.env`, `#include`, `@Inject`. */
const namePrefixes: ReadonlySet<number> = new Set(Array.from('.#@', (sign) => sign.charCodeAt(0)));
/** Signs that may precede such a name, besides white space. */
const openingSigns: ReadonlySet<number> = new Set(
  Array.from('("\'`[{<,', (sign) => sign.charCodeAt(0)),
);
/** Names of languages that consist of a letter and signs. */
const signedLetter = /^(?:[a-z]\+\+|[acfj]#)(?![\p{L}\p{N}_+#])/iu;
const signedLetterLength = 3;

/** A longer name is cut, because a term has at most 40 characters. */
const maxNameLength = 39;

const space = 0x20;

function isBlank(text: string, at: number): boolean {
  return at < 0 || at >= text.length || text.charCodeAt(at) <= space;
}

/** Returns a word of signs. It has a term, but forms no pairs. */
export function symbolWord(raw: string): AnalyzedWord {
  return { raw, folded: foldCase(raw), terms: foldCase(raw), parts: [] };
}

/** Returns the operator that begins at a separator between white space, or null. */
export function operatorAt(text: string, start: number): AnalyzedWord | null {
  if (!isBlank(text, start - 1)) return null;
  let end = start;
  while (end - start <= maxOperatorLength && !isBlank(text, end)) end++;
  const operator = text.slice(start, end);
  return operators.has(operator) ? symbolWord(operator) : null;
}

/** Returns a word with its signs (`C++`, `.env`), or null for a word without signs. */
export function signedWord(text: string, start: number, end: number): AnalyzedWord | null {
  if (end === start + 1) {
    const [signed] = signedLetter.exec(text.slice(start, start + signedLetterLength + 1)) ?? [];
    return signed === undefined ? null : symbolWord(signed);
  }
  if (!namePrefixes.has(text.charCodeAt(start - 1)) || isDigit(text.charCodeAt(start))) return null;
  const isAlone = isBlank(text, start - 2) || openingSigns.has(text.charCodeAt(start - 2));
  return isAlone ? symbolWord(text.slice(start - 1, Math.min(end, start + maxNameLength))) : null;
}

function isDigit(code: number): boolean {
  return asciiClasses[code] === digitClass;
}
