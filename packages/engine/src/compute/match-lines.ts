import { lineStarts, sliceLines, withoutLineEnd } from '@trove/core/media';
import type { LineMatch, MatchRequest } from './messages.js';

/** Longest line that is shown whole. */
const shownChars = 2000;

/** The lines of a text that match, each with its context. A regular expression may take long: call it in a thread. */
export function matchLines(request: MatchRequest): LineMatch[] {
  const { text, pattern, regex, ignoreCase, context, limit } = request;
  const expression = new RegExp(regex ? pattern : escapeRegExp(pattern), ignoreCase ? 'iu' : 'u');
  const starts = lineStarts(text);
  const matches: LineMatch[] = [];
  for (let line = 1; line <= starts.length && matches.length < limit; line++) {
    const own = withoutLineEnd(sliceLines(text, starts, line, line));
    const found = expression.exec(own);
    if (found === null) continue;
    const first = Math.max(1, line - context);
    const last = Math.min(starts.length, line + context);
    const whole = withoutLineEnd(sliceLines(text, starts, first, last));
    const content = whole.length <= shownChars ? whole : around(own, found.index);
    matches.push({ lines: [first, last], content });
  }
  return matches;
}

function around(line: string, at: number): string {
  const start = Math.max(0, Math.min(at - shownChars / 4, line.length - shownChars));
  return line.slice(start, start + shownChars);
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
