import { withoutLineEnd } from '../lines.js';
import { escapedCharacter } from './regex/syntax.js';
import { toExpression } from './regex/to-expression.js';

export interface PatternRequest {
  readonly pattern: string;
  readonly regex: boolean;
  readonly ignoreCase: boolean;
}

/** A place in a text. */
export interface Span {
  readonly at: number;
  readonly length: number;
}

/** What is looked for, in the text of a file or in one line of it. */
export interface Pattern {
  /** Bytes that every UTF-8 file with a match must hold; null when that cannot be told. */
  readonly bytes: Buffer | null;
  /** Matches of a regular expression may need checking against the line alone. */
  readonly perLine: boolean;
  /** Takes time in proportion to the text, whatever is in it. */
  readonly isLinear: boolean;
  /** The first match at or after an offset. */
  find(text: string, from: number): Span | null;
}

/** Prepares a search. Throws `validation_error` for a regular expression that is none. */
export function compilePattern({ pattern, regex, ignoreCase }: PatternRequest): Pattern {
  if (!regex) return ignoreCase ? literalInAnyCase(pattern) : literal(pattern);
  const {
    regex: expression,
    looksAround,
    required,
    leastLength,
  } = toExpression(pattern, ignoreCase);
  const find = finderOf(expression);
  const text = startOf(required);
  const byLine = looksAround || text !== '' || leastLength >= LONG_MATCH;
  return {
    bytes: text === '' ? null : Buffer.from(text),
    perLine: true,
    isLinear: false,
    find: byLine ? lineByLine(find, text, leastLength) : find,
  };
}

/** Characters: fewer lines are that long than are worth trying from each of their characters. */
const LONG_MATCH = 40;

function literalInAnyCase(pattern: string): Pattern {
  const source = Array.from(pattern, escapedCharacter).join('');
  return {
    bytes: null,
    perLine: false,
    isLinear: pattern.length <= NATIVE_AT_MOST,
    find: finderOf(new RegExp(source, 'giv')),
  };
}

function finderOf(expression: RegExp): Pattern['find'] {
  return (text, from) => {
    expression.lastIndex = from;
    const match = expression.exec(text);
    return match === null ? null : { at: match.index, length: match[0].length };
  };
}

/**
 * Searches each line by itself: negative look-around sees nothing else then. Lines without a text that each match holds,
 * and those that are too short, are passed over.
 */
function lineByLine(find: Pattern['find'], required: string, least: number): Pattern['find'] {
  return (text, from) => {
    for (let start = from; start < text.length;) {
      if (required !== '') {
        const at = text.indexOf(required, start);
        if (at === -1) return null;
        if (at > start) start = Math.max(start, text.lastIndexOf('\n', at - 1) + 1);
      }
      const end = text.indexOf('\n', start);
      const next = end === -1 ? text.length : end + 1;
      if ((end === -1 ? next : end) - start >= least) {
        const span = find(withoutLineEnd(text.slice(start, next)), 0);
        if (span !== null) return { ...span, at: start + span.at };
      }
      start = next;
    }
    return null;
  };
}

/**
 * Characters of a text that are looked for natively. Nothing ends a native search, and it may take as long as both texts
 * multiplied; what follows the first characters is compared here, where the time is watched.
 */
const NATIVE_AT_MOST = 32;

function literal(pattern: string): Pattern {
  const head = startOf(pattern);
  return {
    bytes: Buffer.from(head),
    perLine: false,
    isLinear: head.length === pattern.length,
    find(text, from) {
      let at = text.indexOf(head, from);
      while (at !== -1 && !text.startsWith(pattern, at)) at = text.indexOf(head, at + 1);
      return at === -1 ? null : { at, length: pattern.length };
    },
  };
}

/** The first characters, none of them halved. */
function startOf(pattern: string): string {
  return pattern.length <= NATIVE_AT_MOST
    ? pattern
    : Array.from(pattern.slice(0, NATIVE_AT_MOST)).slice(0, -1).join('');
}
