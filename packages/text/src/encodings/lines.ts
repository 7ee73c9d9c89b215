/**
 * Where each line of a text starts. This is the single definition of a line, for grep, ranges and chunks alike: a line
 * ends with `\n` (including a `\r` right before it) or with the text. A lone `\r` does not end a line. What follows the
 * last `\n` is a line only if not empty, so `''` has no lines and `'a\n'` has one.
 */
export function lineStarts(text: string): number[] {
  const starts: number[] = [];
  for (let start = 0; start < text.length;) {
    starts.push(start);
    const end = text.indexOf('\n', start);
    if (end === -1) break;
    start = end + 1;
  }
  return starts;
}

/** The 1-based number of the line that contains an offset; 1 for a text without lines. */
export function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return Math.max(1, low);
}

/**
 * Lines `from` to `to` (1-based, inclusive) exactly as in the text, with their line endings. Lines past the end are
 * omitted.
 */
export function sliceLines(
  text: string,
  starts: readonly number[],
  from: number,
  to: number,
): string {
  const start = starts[Math.max(1, from) - 1];
  if (start === undefined || to < from) return '';
  return text.slice(start, starts[to] ?? text.length);
}

/** A piece of text without its trailing line ending. */
export function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, '');
}
