import type { MatchSpan } from './span.js';

const maxLineLength = 2000;
const ellipsis = '…';

/** Shortens a line to 2,000 characters around a span. `…` marks omitted text. */
export function shortenLine(line: string, { at, length }: MatchSpan): string {
  if (line.length <= maxLineLength) return line;
  const room = maxLineLength - 2 * ellipsis.length;
  const before = Math.max(0, Math.floor((room - Math.min(length, room)) / 2));
  const from = Math.max(0, Math.min(at - before, line.length - room));
  const to = from + room;
  const start = isInsidePair(line, from) ? from + 1 : from;
  const end = isInsidePair(line, to) ? to - 1 : to;
  return `${start > 0 ? ellipsis : ''}${line.slice(start, end)}${end < line.length ? ellipsis : ''}`;
}

function isInsidePair(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff && at > 0;
}
