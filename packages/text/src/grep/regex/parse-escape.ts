import { propertySet } from './properties.js';
import { patternError, type PatternReader } from './reader.js';
import { wordSet, type Flags } from './syntax.js';

/** The meaning of an escape sequence. */
export type Escape =
  | { readonly kind: 'literal'; readonly char: string }
  | { readonly kind: 'set'; readonly set: string }
  | { readonly kind: 'assertion'; readonly source: string };

const controls: Readonly<Record<string, string>> = {
  a: '\u0007',
  f: '\f',
  t: '\t',
  n: '\n',
  r: '\r',
  v: '\v',
};
const hexDigits: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Parses an escape sequence after its backslash. Rejects unknown escapes by name. */
export function parseEscape(reader: PatternReader, flags: Flags): Escape {
  const start = reader.at - 1;
  const char = reader.next();
  if (char === '') throw patternError('it ends with a backslash');
  const control = controls[char];
  if (control !== undefined) return { kind: 'literal', char: control };
  if (char in hexDigits) return { kind: 'literal', char: parseHex(reader, char, start) };
  if ('dDsSwW'.includes(char)) return { kind: 'set', set: perlSet(char, flags.unicode) };
  if (char === 'p' || char === 'P') {
    return { kind: 'set', set: propertySet(reader, char === 'P', start) };
  }
  const assertion = assertionOf(reader, char, flags.unicode);
  if (assertion !== null) return { kind: 'assertion', source: assertion };
  if (/[0-9k]/.test(char)) {
    throw patternError(`\`${reader.since(start)}\`: references to groups are not supported`);
  }
  // Any punctuation may be escaped.
  if (/[!-/:-@[-`{-~ ]/.test(char)) return { kind: 'literal', char };
  throw patternError(`\`${reader.since(start)}\` is not a known escape`);
}

function parseHex(reader: PatternReader, kind: string, start: number): string {
  const braced = reader.takeMatch(/^\{[0-9a-f]{1,8}\}/i);
  const digits =
    braced === ''
      ? reader.takeMatch(new RegExp(`^[0-9a-f]{${hexDigits[kind]}}`, 'i'))
      : braced.slice(1, -1);
  const code = digits === '' ? Number.NaN : Number.parseInt(digits, 16);
  if (!(code <= 0x10ffff) || (code >= 0xd800 && code <= 0xdfff)) {
    throw patternError(`\`${reader.since(start)}\` does not name a character`);
  }
  return String.fromCodePoint(code);
}

function perlSet(char: string, unicode: boolean): string {
  const not = char === char.toUpperCase() ? '^' : '';
  switch (char.toLowerCase()) {
    case 'd':
      return unicode ? `[${not}\\p{Nd}]` : `[${not}0-9]`;
    case 's':
      return unicode ? `[${not}\\p{White_Space}]` : `[${not}\\t\\n\\v\\f\\r\\u{20}]`;
    default:
      return `[${not}${wordSet(unicode)}]`;
  }
}

function assertionOf(reader: PatternReader, char: string, unicode: boolean): string | null {
  const word = wordSet(unicode);
  const before = `(?<=${word})`;
  const notBefore = `(?<!${word})`;
  const after = `(?=${word})`;
  const notAfter = `(?!${word})`;
  switch (char) {
    case 'A':
      return lineStart;
    case 'z':
      return lineEnd;
    case '<':
      return notBefore + after;
    case '>':
      return before + notAfter;
    case 'B':
      return `(?:${before}${after}|${notBefore}${notAfter})`;
    case 'b':
      if (reader.take('{start}')) return notBefore + after;
      if (reader.take('{end}')) return before + notAfter;
      if (reader.take('{start-half}')) return notBefore;
      if (reader.take('{end-half}')) return notAfter;
      return `(?:${before}${notAfter}|${notBefore}${after})`;
    default:
      return null;
  }
}

export const lineStart = '(?<![^\\n])';
/** A carriage return before a line feed is part of the line ending. */
export const lineEnd = '(?=\\r?\\n|$)';
