import type { MatchSpan } from './span.js';
import { withoutLineEnd } from '../encodings/lines.js';
import { matchComposedForm } from './composed-form.js';
import { escapeCharacter } from './regex/syntax.js';
import { fromRarestByte } from './rarest-byte.js';
import { toExactExpression, toExpression } from './regex/to-expression.js';

export interface PatternRequest {
  readonly pattern: string;
  readonly regex: boolean;
  readonly ignoreCase: boolean;
}

/** A compiled search in the text of a file or in a line. */
export interface CompiledPattern {
  /** Bytes in every UTF-8 file with a match. Null if unknown. */
  readonly requiredBytes: Buffer | null;
  /** The end of `requiredBytes`, possibly from the middle of a character on, which is found several times faster. */
  readonly rareBytes: Buffer | null;
  /** Whether matches of a regular expression must be checked against their line alone. */
  readonly perLine: boolean;
  /** Searching takes linear time for any text. */
  readonly isLinear: boolean;
  /** Finds the first match at or after an offset. It may be shorter than the whole match, but is in the same line. */
  find(text: string, from: number): MatchSpan | null;
  /** Finds the first match at or after an offset of a line, with its full length. */
  findWhole(line: string, from: number): MatchSpan | null;
}

/** Compiles a search. Throws `validation_error` for an invalid regular expression. */
export function compilePattern({ pattern, regex, ignoreCase }: PatternRequest): CompiledPattern {
  if (!regex) return literalInAnyForm(pattern, ignoreCase);
  const composed = pattern.normalize('NFC');
  const {
    regex: expression,
    looksAround,
    required,
    minLength,
  } = toExpression(composed, ignoreCase);
  const find = finderOf(expression);
  const text = startOf(required);
  const byLine = looksAround || text !== '' || minLength >= longMatchLength;
  return {
    ...bytesOf(text === '' || text.normalize('NFD') !== text ? null : text),
    perLine: true,
    isLinear: false,
    find: matchComposedForm(byLine ? lineByLine(find, text, minLength) : find, find),
    findWhole: compileLazily(() => {
      const findExactly = finderOf(toExactExpression(composed, ignoreCase));
      return matchComposedForm(findExactly, findExactly);
    }),
  };
}

/** Matches accented letters in composed and decomposed form. Other texts are compared unchanged. */
function literalInAnyForm(pattern: string, ignoreCase: boolean): CompiledPattern {
  const compile = ignoreCase ? literalInAnyCase : literal;
  const forms = new Set([pattern, pattern.normalize('NFC'), pattern.normalize('NFD')]);
  const patterns = Array.from(forms, compile);
  const [only] = patterns;
  if (only !== undefined && patterns.length === 1) return only;
  const earliest = (text: string, from: number): MatchSpan | null =>
    patterns
      .flatMap(({ find }) => find(text, from) ?? [])
      .reduce<MatchSpan | null>(
        (first, span) => (first === null || span.at < first.at ? span : first),
        null,
      );
  const isLinear = patterns.every((each) => each.isLinear);
  return { ...bytesOf(null), perLine: false, isLinear, find: earliest, findWhole: earliest };
}

/** `text`: contained in every match, or null. */
function bytesOf(text: string | null): Pick<CompiledPattern, 'requiredBytes' | 'rareBytes'> {
  if (text === null) return { requiredBytes: null, rareBytes: null };
  const requiredBytes = Buffer.from(text);
  return { requiredBytes, rareBytes: fromRarestByte(requiredBytes) };
}

/** Compiles at the first use, because most files have no match. */
function compileLazily(make: () => CompiledPattern['find']): CompiledPattern['find'] {
  let find: CompiledPattern['find'] | null = null;
  return (text, from) => (find ??= make())(text, from);
}

/** If every match has at least this many characters, shorter lines are skipped. */
const longMatchLength = 40;

function literalInAnyCase(pattern: string): CompiledPattern {
  const source = Array.from(pattern, escapeCharacter).join('');
  const find = finderOf(new RegExp(source, 'giv'));
  return {
    ...bytesOf(null),
    perLine: false,
    isLinear: pattern.length <= maxNativeLength,
    find,
    findWhole: find,
  };
}

function finderOf(expression: RegExp): CompiledPattern['find'] {
  return (text, from) => {
    for (let start = from; ; start++) {
      expression.lastIndex = start;
      const match = expression.exec(text);
      if (match === null) return null;
      start = match.index;
      // V8 treats an offset inside a surrogate pair as the start of a line.
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
 * `required` text and lines shorter than `minLength`.
 */
function lineByLine(
  find: CompiledPattern['find'],
  required: string,
  minLength: number,
): CompiledPattern['find'] {
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
      if ((end === -1 ? next : end) - start >= minLength) {
        const span = find(withoutLineEnd(text.slice(start, next)), 0);
        if (span !== null) return { ...span, at: start + span.at };
      }
      start = next;
    }
    return null;
  };
}

/**
 * Maximum length of a native search. A native search cannot be interrupted and may take time proportional to the
 * product of both lengths. The rest is compared in JavaScript, which checks the time.
 */
const maxNativeLength = 32;

function literal(pattern: string): CompiledPattern {
  const head = startOf(pattern);
  const find = (text: string, from: number): MatchSpan | null => {
    let at = text.indexOf(head, from);
    while (at !== -1 && !text.startsWith(pattern, at)) at = text.indexOf(head, at + 1);
    return at === -1 ? null : { at, length: pattern.length };
  };
  return {
    ...bytesOf(head),
    perLine: false,
    isLinear: head.length === pattern.length,
    find,
    findWhole: find,
  };
}

/** Returns the first characters without splitting a surrogate pair. */
function startOf(pattern: string): string {
  return pattern.length <= maxNativeLength
    ? pattern
    : Array.from(pattern.slice(0, maxNativeLength)).slice(0, -1).join('');
}
