import { charsOf, linesOf, parseLocator } from '@trove/core';
import type { ResultEnvelope } from '../../api/schemas.js';
import type { TextSpan } from './quote-matching.js';

type HitLocator = ResultEnvelope['locator'];

/** Narrows the locator of a passage to the lines of a quote. The locator of a record stays the same. */
export function narrowLocator(
  hitLocator: HitLocator,
  content: string,
  { start, end }: TextSpan,
): HitLocator {
  if (hitLocator === null) return null;
  const locator = parseLocator(JSON.stringify(hitLocator));
  const lines = linesOf(locator);
  if (lines === null) return hitLocator;
  const chars = charsOf(locator);
  if (chars !== null) return { ...locator, chars: [chars.start + start, chars.start + end] };
  const first = lines.start + countLineBreaks(content.slice(0, start));
  const last = first + countLineBreaks(content.slice(start, end));
  return last > lines.end ? hitLocator : { ...locator, lines: [first, last] };
}

function countLineBreaks(text: string): number {
  return text.split('\n').length - 1;
}
