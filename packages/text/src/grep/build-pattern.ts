import { TroveError } from '@trove/core';
import { compilePattern, type PatternRequest } from './pattern.js';

export interface WordPatternRequest extends PatternRequest {
  /** Match only whole words. */
  readonly word: boolean;
  /** Find the lines that do not match. */
  readonly invert: boolean;
}

/**
 * Builds a pattern without `word` and `invert`, by expressing them with look-around. Throws `validation_error` for an
 * invalid pattern.
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
  // A comment at the end of the pattern must end with a line break.
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
