import { withoutLineEnd } from '../content/lines.js';
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

/** What to look for in the text of a file or in one of its lines. */
export interface Pattern {
  /** Bytes contained in every UTF-8 file with a match; null when unknown. */
  readonly bytes: Buffer | null;
  /** Whether matches of a regular expression must be checked against their line alone. */
  readonly perLine: boolean;
  /** Takes time proportional to the text, whatever its content. */
  readonly isLinear: boolean;
  /** The first match at or after an offset. */
  find(text: string, from: number): Span | null;
}

/** Compiles a search. Throws `validation_error` for an invalid regular expression. */
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

/** Characters. If every match is at least this long, shorter lines are skipped, which leaves few to try. */
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
 * Searches each line on its own, so that negative look-around sees nothing else. Skips lines that lack the text every
 * match contains, and those that are too short.
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
 * How many characters to search for natively. A native search cannot be interrupted and may take as long as the product
 * of both lengths; the rest is compared here, where time is checked.
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

/** The first characters, without splitting a surrogate pair. */
function startOf(pattern: string): string {
  return pattern.length <= NATIVE_AT_MOST
    ? pattern
    : Array.from(pattern.slice(0, NATIVE_AT_MOST)).slice(0, -1).join('');
}
