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
  const expression = toExpression(pattern, ignoreCase);
  const find = finderOf(expression.regex);
  return {
    bytes: null,
    perLine: true,
    isLinear: false,
    find: expression.looksAround ? lineByLine(find) : find,
  };
}

function literalInAnyCase(pattern: string): Pattern {
  const source = Array.from(pattern, escapedCharacter).join('');
  return {
    bytes: null,
    perLine: false,
    isLinear: true,
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

/** Searches each line by itself: slower than all of the text at once, but negative look-around sees nothing else. */
function lineByLine(find: Pattern['find']): Pattern['find'] {
  return (text, from) => {
    for (let start = from; start < text.length;) {
      const end = text.indexOf('\n', start);
      const next = end === -1 ? text.length : end + 1;
      const span = find(withoutLineEnd(text.slice(start, next)), 0);
      if (span !== null) return { ...span, at: start + span.at };
      start = next;
    }
    return null;
  };
}

function literal(pattern: string): Pattern {
  return {
    bytes: Buffer.from(pattern),
    perLine: false,
    isLinear: true,
    find(text, from) {
      const at = text.indexOf(pattern, from);
      return at === -1 ? null : { at, length: pattern.length };
    },
  };
}
