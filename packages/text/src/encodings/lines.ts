/**
 * Returns the start of each line of a text. Grep, ranges and chunks all use this definition: a line ends with `\n`
 * (including a preceding `\r`) or with the text. A lone `\r` does not end a line. Text after the last `\n` is a line
 * only if not empty, so `''` has no lines and `'a\n'` has one.
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

/** Returns the 1-based number of the line with an offset. 1 for a text without lines. */
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

/** Returns the lines `from` to `to` (1-based, inclusive) with their line endings. Ignores lines past the end. */
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

/** Removes the trailing line ending. */
export function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, '');
}
