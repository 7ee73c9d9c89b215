import { TroveError } from '../errors.js';

export type Keyword = 'and' | 'or' | 'not' | 'in' | 'like' | 'true' | 'false' | 'null';
export type FilterSymbol = '(' | ')' | '[' | ']' | ',' | '=' | '!=' | '<' | '<=' | '>' | '>=';

/** A token and its offset. */
export type FilterToken = { readonly at: number } & (
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'number'; readonly value: number }
  | { readonly type: 'keyword'; readonly keyword: Keyword }
  | { readonly type: 'symbol'; readonly symbol: FilterSymbol }
  | { readonly type: 'end' }
);

/** Maximum length of a filter, in characters. */
const maxFilterLength = 10_000;

const keywords: ReadonlySet<string> = new Set<Keyword>([
  'and',
  'or',
  'not',
  'in',
  'like',
  'true',
  'false',
  'null',
]);
const symbols: Readonly<Record<string, FilterSymbol>> = {
  '(': '(',
  ')': ')',
  '[': '[',
  ']': ']',
  ',': ',',
  '==': '=',
  '=': '=',
  '!=': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};
/** Operators that are synonyms of keywords. */
const signs: Readonly<Record<string, Keyword>> = { '&&': 'and', '||': 'or', '!': 'not' };
const escapes: Readonly<Record<string, string>> = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  n: '\n',
  r: '\r',
  t: '\t',
  // `like` interprets these, so they keep their backslash.
  '%': '\\%',
  _: '\\_',
};

const blank = /\s+/y;
const operator = /&&|\|\||<>|[=!<>]=|[=<>(),![\]]/y;
const number = /-?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?(?![\p{L}\p{N}_.])/iuy;
const subscript = /\[\s*(?=['"])/y;
const bracket = /\s*\]/y;
const word = /[\p{L}_$@][\p{L}\p{M}\p{N}_$@-]*/uy;

/** Splits a filter into tokens. Throws `validation_error` with the position. */
export function tokenize(text: string): FilterToken[] {
  if (text.length > maxFilterLength) {
    throw new TroveError(
      'validation_error',
      `filter: must be at most ${maxFilterLength} characters long`,
      { suggestions: ['Shorten the filter, for example with `in (…)` instead of several `or`.'] },
    );
  }
  const tokens: FilterToken[] = [];
  let at = 0;
  for (;;) {
    at += matchAt(blank, text, at)?.length ?? 0;
    if (at === text.length) break;
    const { token, end } = readToken(text, at);
    tokens.push(token);
    at = end;
  }
  tokens.push({ type: 'end', at });
  return tokens;
}

/** Creates an error at an offset. Positions in messages count from 1. */
export function errorAt(at: number, problem: string, suggestion: string): TroveError {
  return new TroveError('validation_error', `filter: ${problem} at position ${at + 1}`, {
    suggestions: [suggestion],
  });
}

function readToken(text: string, at: number): { token: FilterToken; end: number } {
  const first = text.charAt(at);
  if (first === '"' || first === "'") return readString(text, at);
  const digits = matchAt(number, text, at);
  if (digits !== undefined) {
    return {
      token: { type: 'number', value: toFiniteNumber(digits, at), at },
      end: at + digits.length,
    };
  }
  const sign = matchAt(operator, text, at);
  if (sign !== undefined) return { token: toSymbolToken(sign, at), end: at + sign.length };
  return readName(text, at);
}

function toFiniteNumber(digits: string, at: number): number {
  const value = Number(digits);
  if (Number.isFinite(value)) return value;
  throw errorAt(at, 'a number is out of range', 'Write a number below 1e308.');
}

function toSymbolToken(sign: string, at: number): FilterToken {
  if (sign === '<>') throw errorAt(at, '`<>` is not an operator', 'Write `!=` instead of `<>`.');
  const keyword = signs[sign];
  if (keyword !== undefined) return { type: 'keyword', keyword, at };
  const symbol = symbols[sign];
  if (symbol === undefined) throw unexpectedCharacter(at);
  return { type: 'symbol', symbol, at };
}

/** Reads `'…'` or `"…"` with `\` escapes. */
function readString(text: string, at: number): { token: FilterToken; end: number } {
  const quote = text.charAt(at);
  let value = '';
  for (let next = at + 1; next < text.length; next++) {
    const char = text.charAt(next);
    if (char === quote) return { token: { type: 'string', value, at }, end: next + 1 };
    if (char !== '\\') {
      value += char;
      continue;
    }
    const escape = text.charAt(++next);
    const unicode = escape === 'u' ? /^[0-9a-f]{4}/i.exec(text.slice(next + 1, next + 5)) : null;
    if (unicode !== null) next += 4;
    const replacement =
      unicode === null ? escapes[escape] : String.fromCharCode(parseInt(unicode[0], 16));
    if (replacement === undefined) {
      throw errorAt(next - 1, 'an unknown escape', 'Write a backslash as `\\\\`.');
    }
    value += replacement;
  }
  throw errorAt(at, 'a string without its closing quote', `Close it with ${quote}.`);
}

/**
 * Reads a keyword or a field. A field is a word or a text in backticks, followed by more of these after dots, or by
 * strings in square brackets: `metadata["first name"].length`.
 */
function readName(text: string, at: number): { token: FilterToken; end: number } {
  const first = readSegment(text, at);
  const segments = [first];
  let { end } = first;
  if (!first.quoted && text.charAt(end) !== '.') {
    const keyword = asKeyword(first.name);
    if (keyword !== null) return { token: { type: 'keyword', keyword, at }, end };
  }
  for (;;) {
    const segment =
      text.charAt(end) === '.' ? readSegment(text, end + 1) : readSubscript(text, end);
    if (segment === null) break;
    segments.push(segment);
    end = segment.end;
  }
  return { token: { type: 'name', name: fieldName(segments), at }, end };
}

interface NameSegment {
  readonly name: string;
  readonly quoted: boolean;
  readonly end: number;
}

function readSegment(text: string, at: number): NameSegment {
  if (text.charAt(at) === '`') {
    const close = text.indexOf('`', at + 1);
    if (close === -1) throw errorAt(at, 'a field without its closing backtick', 'Close it with `.');
    return { name: text.slice(at + 1, close), quoted: true, end: close + 1 };
  }
  const name = matchAt(word, text, at);
  if (name === undefined) throw unexpectedCharacter(at);
  return { name, quoted: false, end: at + name.length };
}

/** Reads `["name"]`. Null if it does not come next. */
function readSubscript(text: string, at: number): NameSegment | null {
  const opening = matchAt(subscript, text, at);
  if (opening === undefined) return null;
  const { token, end } = readString(text, at + opening.length);
  const closing = matchAt(bracket, text, end);
  if (token.type !== 'string' || closing === undefined) {
    throw errorAt(at, 'a bracket without its closing bracket', 'Close it with ].');
  }
  return { name: token.value, quoted: true, end: end + closing.length };
}

/**
 * Returns the canonical name of a field. `metadata.fields.author`, `fields.author` and `author` are the same, and so
 * are `metadata.title` and `title`. In backticks and brackets, a prefix is part of the name.
 */
function fieldName(segments: readonly NameSegment[]): string {
  const isPrefix = (index: number, name: string): boolean =>
    segments.length > index + 1 &&
    segments[index]?.quoted === false &&
    segments[index].name === name;
  let skipped = isPrefix(0, 'metadata') ? 1 : 0;
  if (isPrefix(skipped, 'fields')) skipped++;
  return segments
    .slice(skipped)
    .map((segment) => segment.name)
    .join('.');
}

function asKeyword(name: string): Keyword | null {
  const lower = name.toLowerCase();
  return isKeyword(lower) ? lower : null;
}

function isKeyword(name: string): name is Keyword {
  return keywords.has(name);
}

function unexpectedCharacter(at: number): TroveError {
  return errorAt(
    at,
    'an unexpected character',
    'Put text in quotes, and a field name with special characters in backticks.',
  );
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
