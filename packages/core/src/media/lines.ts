/**
 * Where each line of a text starts. The one rule of lines, for grep, ranges and chunks alike: a line ends with
 * `\n` (a `\r` right before it belongs to the end), or with the text. A `\r` alone ends no line. What follows the last
 * `\n` is a line only when it is not empty, so `''` has no lines and `'a\n'` has one.
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

/** The 1-based number of the line that holds an offset; 1 for a text without lines. */
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
 * Lines `from` to `to` (1-based, inclusive) as they stand in the text, with their line ends. Lines that are not there
 * are left out: past the end, the result is what there is.
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

/** A piece of text without the line end that closes it. */
export function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, '');
}
