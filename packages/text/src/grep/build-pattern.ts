import { TroveError } from '@trove/core';
import { compilePattern, type PatternRequest } from './pattern.js';

export interface WordPatternRequest extends PatternRequest {
  /** Only where the match is not part of a longer word. */
  readonly word: boolean;
  /** The lines that do not match. */
  readonly invert: boolean;
}

/**
 * What to look for, said in a pattern alone: whole words and lines without a match are regular expressions that look
 * around. Throws `validation_error` for an invalid pattern.
 */
export function buildPattern({
  pattern,
  regex,
  ignoreCase,
  word,
  invert,
}: WordPatternRequest): PatternRequest {
  compilePattern({ pattern, regex, ignoreCase });
  if (!word && !invert) return { pattern, regex, ignoreCase };
  if (!regex && pattern.includes('\n')) {
    throw new TroveError('validation_error', 'pattern: must be in one line with word or invert');
  }
  const source = regex ? pattern : pattern.replace(/[\\.+*?()|[\]{}^$#&~-]/g, '\\$&');
  const inWord = (text: string): string => (word ? `(?<!\\w)(?:${text})(?!\\w)` : `(?:${text})`);
  const inLine = (text: string): string => (invert ? `^(?!.*?${inWord(text)})` : inWord(text));
  const wrapped = { pattern: inLine(source), regex: true, ignoreCase };
  // A comment at the end of the pattern needs a line break, or it would go on.
  return compiles(wrapped) ? wrapped : { ...wrapped, pattern: inLine(`${source}\n`) };
}

function compiles(request: PatternRequest): boolean {
  try {
    compilePattern(request);
    return true;
  } catch {
    return false;
  }
}
