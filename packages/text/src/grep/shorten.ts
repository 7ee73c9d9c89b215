import type { Span } from './span.js';

const MAX_LINE = 2000;
const MARK = '…';

/** A line of at most 2,000 characters, cut around a span; `…` stands for what is left out. */
export function shortened(line: string, { at, length }: Span): string {
  if (line.length <= MAX_LINE) return line;
  const room = MAX_LINE - 2 * MARK.length;
  const before = Math.max(0, Math.floor((room - Math.min(length, room)) / 2));
  const from = Math.max(0, Math.min(at - before, line.length - room));
  const to = from + room;
  const start = isInsidePair(line, from) ? from + 1 : from;
  const end = isInsidePair(line, to) ? to - 1 : to;
  return `${start > 0 ? MARK : ''}${line.slice(start, end)}${end < line.length ? MARK : ''}`;
}

function isInsidePair(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff && at > 0;
}
