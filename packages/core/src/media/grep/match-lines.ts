import { lineAt, lineStarts, sliceLines, withoutLineEnd } from '../lines.js';

import { shortened } from './shorten.js';
import type { Pattern, Span } from './pattern.js';

/** The lines of one match, with their context. */
export interface LineMatch {
  /** 1-based, inclusive. */
  readonly lines: readonly [number, number];
  readonly content: string;
}

/** The matching lines of a text, each once, at most `limit`, with `context` lines on either side. */
export function matchLines(
  text: string,
  pattern: Pattern,
  context: number,
  limit: number,
): LineMatch[] {
  const matches: LineMatch[] = [];
  let span = pattern.find(text, 0);
  if (span === null) return matches;
  const starts = lineStarts(text);
  while (span !== null && matches.length < limit && starts.length > 0) {
    const first = lineAt(starts, span.at);
    const match = matchAt(text, starts, pattern, span, first);
    if (match !== null) matches.push(withContext(text, starts, match, context));
    const next = starts[match?.last ?? first];
    span = next === undefined ? null : pattern.find(text, next);
  }
  return matches;
}

interface Located {
  readonly first: number;
  readonly last: number;
  /** Within the first line. */
  readonly span: Span;
}

/** Where a match lies; null when its line, looked at alone, does not match. */
function matchAt(
  text: string,
  starts: readonly number[],
  pattern: Pattern,
  span: Span,
  first: number,
): Located | null {
  const start = starts[first - 1] ?? 0;
  if (!pattern.perLine) {
    const last = lineAt(starts, span.at + Math.max(0, span.length - 1));
    return { first, last, span: { at: span.at - start, length: span.length } };
  }
  const inLine = pattern.find(withoutLineEnd(sliceLines(text, starts, first, first)), 0);
  return inLine === null ? null : { first, last: first, span: inLine };
}

function withContext(
  text: string,
  starts: readonly number[],
  { first, last, span }: Located,
  context: number,
): LineMatch {
  const from = Math.max(1, first - context);
  const to = Math.min(starts.length, last + context);
  const lines: string[] = [];
  for (let line = from; line <= to; line++) {
    const content = withoutLineEnd(sliceLines(text, starts, line, line));
    lines.push(shortened(content, line === first ? span : { at: 0, length: 0 }));
  }
  return { lines: [from, to], content: lines.join('\n') };
}
