import type { Span } from './span.js';
import { withoutLineEnd } from '../encodings/lines.js';
import { inComposedForm } from './composed.js';
import { escapedCharacter } from './regex/syntax.js';
import { toExactExpression, toExpression } from './regex/to-expression.js';

export interface PatternRequest {
  readonly pattern: string;
  readonly regex: boolean;
  readonly ignoreCase: boolean;
}

/** What to look for in the text of a file or in one of its lines. */
export interface Pattern {
  /** Bytes contained in every UTF-8 file with a match; null when unknown. */
  readonly bytes: Buffer | null;
  /** Whether matches of a regular expression must be checked against their line alone. */
  readonly perLine: boolean;
  /** Takes time proportional to the text, whatever its content. */
  readonly isLinear: boolean;
  /** The first match at or after an offset; it may be shorter than the whole match, but is in the same line. */
  find(text: string, from: number): Span | null;
  /** The first match at or after an offset of a line, from where it begins to where it ends. */
  findWhole(line: string, from: number): Span | null;
}

/** Compiles a search. Throws `validation_error` for an invalid regular expression. */
export function compilePattern({ pattern, regex, ignoreCase }: PatternRequest): Pattern {
  if (!regex) return literalInAnyForm(pattern, ignoreCase);
  const composed = pattern.normalize('NFC');
  const {
    regex: expression,
    looksAround,
    required,
    leastLength,
  } = toExpression(composed, ignoreCase);
  const find = finderOf(expression);
  const text = startOf(required);
  const byLine = looksAround || text !== '' || leastLength >= LONG_MATCH;
  return {
    bytes: text === '' || text.normalize('NFD') !== text ? null : Buffer.from(text),
    perLine: true,
    isLinear: false,
    find: inComposedForm(byLine ? lineByLine(find, text, leastLength) : find, find),
    findWhole: whenNeeded(() => {
      const findExactly = finderOf(toExactExpression(composed, ignoreCase));
      return inComposedForm(findExactly, findExactly);
    }),
  };
}

/** Matches accented letters in composed and decomposed form. Other texts are searched for unchanged. */
function literalInAnyForm(pattern: string, ignoreCase: boolean): Pattern {
  const compile = ignoreCase ? literalInAnyCase : literal;
  const forms = new Set([pattern, pattern.normalize('NFC'), pattern.normalize('NFD')]);
  const patterns = Array.from(forms, compile);
  const [only] = patterns;
  if (only !== undefined && patterns.length === 1) return only;
  const earliest = (text: string, from: number): Span | null =>
    patterns
      .flatMap(({ find }) => find(text, from) ?? [])
      .reduce<Span | null>(
        (first, span) => (first === null || span.at < first.at ? span : first),
        null,
      );
  const isLinear = patterns.every((each) => each.isLinear);
  return { bytes: null, perLine: false, isLinear, find: earliest, findWhole: earliest };
}

/** Compiled at its first use: most files have no match. */
function whenNeeded(make: () => Pattern['find']): Pattern['find'] {
  let find: Pattern['find'] | null = null;
  return (text, from) => (find ??= make())(text, from);
}

/** Characters. If every match is at least this long, shorter lines are skipped, which leaves few to try. */
const LONG_MATCH = 40;

function literalInAnyCase(pattern: string): Pattern {
  const source = Array.from(pattern, escapedCharacter).join('');
  const find = finderOf(new RegExp(source, 'giv'));
  return {
    bytes: null,
    perLine: false,
    isLinear: pattern.length <= NATIVE_AT_MOST,
    find,
    findWhole: find,
  };
}

function finderOf(expression: RegExp): Pattern['find'] {
  return (text, from) => {
    for (let start = from; ; start++) {
      expression.lastIndex = start;
      const match = expression.exec(text);
      if (match === null) return null;
      start = match.index;
      // V8 takes a place inside a surrogate pair for the start of a line.
      if (match[0] !== '' || !isInsidePair(text, start)) {
        return { at: start, length: match[0].length };
      }
    }
  };
}

function isInsidePair(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  return code >= 0xdc00 && code <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
}

/**
 * Searches each line separately, because negative look-around must not see other lines. Skips lines that lack the
 * `required` text and lines shorter than `least`.
 */
function lineByLine(find: Pattern['find'], required: string, least: number): Pattern['find'] {
  return (text, from) => {
    // The loop below would skip a text that is a single empty line.
    if (text === '') return find(text, 0);
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
  const find = (text: string, from: number): Span | null => {
    let at = text.indexOf(head, from);
    while (at !== -1 && !text.startsWith(pattern, at)) at = text.indexOf(head, at + 1);
    return at === -1 ? null : { at, length: pattern.length };
  };
  return {
    bytes: Buffer.from(head),
    perLine: false,
    isLinear: head.length === pattern.length,
    find,
    findWhole: find,
  };
}

/** The first characters, without splitting a surrogate pair. */
function startOf(pattern: string): string {
  return pattern.length <= NATIVE_AT_MOST
    ? pattern
    : Array.from(pattern.slice(0, NATIVE_AT_MOST)).slice(0, -1).join('');
}
