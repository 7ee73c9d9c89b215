import { TroveError } from '../../errors.js';
import { withoutLineEnd } from '../lines.js';

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
  /** The first match at or after an offset. */
  find(text: string, from: number): Span | null;
}

/** Looks at the text around a match, which one line alone does not have: `foo(?!\s*bar)`. */
const lookaround = /\(\?<?!/;

/** Prepares a search. Throws `validation_error` for a regular expression that is none. */
export function compilePattern({ pattern, regex, ignoreCase }: PatternRequest): Pattern {
  if (!regex && !ignoreCase) return literal(pattern);
  const expression = toExpression(regex ? pattern : escaped(pattern), ignoreCase);
  const find = finderOf(expression);
  const byLine = regex && lookaround.test(pattern);
  return { bytes: null, perLine: regex, find: byLine ? lineByLine(find) : find };
}

function finderOf(expression: RegExp): Pattern['find'] {
  return (text, from) => {
    expression.lastIndex = from;
    const match = expression.exec(text);
    return match === null ? null : { at: match.index, length: match[0].length };
  };
}

/** Searches each line by itself: slower than all of the text at once, but negative lookaround sees nothing else. */
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
    find(text, from) {
      const at = text.indexOf(pattern, from);
      return at === -1 ? null : { at, length: pattern.length };
    },
  };
}

/** Unicode rules where the pattern allows them: they refuse some escapes that people write out of habit. */
function toExpression(source: string, ignoreCase: boolean): RegExp {
  const flags = ignoreCase ? 'gmi' : 'gm';
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    try {
      return new RegExp(source, flags);
    } catch (error) {
      // The engine's message repeats the pattern before it says what is wrong.
      const said = error instanceof Error ? error.message : '';
      const reason = said.slice(said.lastIndexOf(': ') + 2).toLowerCase();
      throw new TroveError(
        'validation_error',
        `pattern: is not a valid regular expression: ${reason}`,
        { suggestions: ['Correct it, or search for it literally, without `regex`.'] },
      );
    }
  }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
