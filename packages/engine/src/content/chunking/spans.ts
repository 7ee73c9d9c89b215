import { rank, type TextStructure } from './structure.js';

const maxLineEndChars = 2;

/** A run of whole lines, `first` to `last`, numbered from 0. Neither is blank. */
export interface LineSpan {
  readonly first: number;
  readonly last: number;
}

/**
 * Splits a text into runs of at most `maxChars` characters. Each run ends before the line that best starts the next
 * one.
 *
 * A heading or definition may end a run that is a quarter full, and a paragraph one that is half full. Otherwise the
 * run takes all lines that fit. A line longer than `maxChars` is its own run. No run crosses a line in `ends`, which
 * are in ascending order. Visits each line only a few times.
 */
export function* splitIntoSpans(
  structure: TextStructure,
  maxChars: number,
  ends: readonly number[] = [],
): Generator<LineSpan> {
  const { lines } = structure;
  let count = lines.count;
  while (count > 0 && lines.isBlank(count - 1)) count--;
  let first = 0;
  let nextEnd = 0;
  while (first < count) {
    if (lines.isBlank(first)) {
      first++;
      continue;
    }
    while ((ends[nextEnd] ?? count) <= first && nextEnd < ends.length) nextEnd++;
    const next = nextCut(structure, first, Math.min(count, ends[nextEnd] ?? count), maxChars);
    let last = next - 1;
    while (last > first && lines.isBlank(last)) last--;
    yield { first, last };
    first = next;
  }
}

/**
 * Returns the line that starts the next run: the best within reach, the last among equals, or `count` if the rest
 * fits.
 */
function nextCut(
  { lines, ranks }: TextStructure,
  first: number,
  count: number,
  maxChars: number,
): number {
  const start = lines.start(first);
  let best = first + 1;
  let bestRank: number = rank.inside;
  for (let line = first + 1; line < count; line++) {
    const size = lines.start(line) - start;
    if (size > maxChars + maxLineEndChars) return best;
    if (lines.isBlank(line)) continue;
    const cutRank = rankOfCut(ranks[line] ?? rank.inside, size, maxChars);
    if (cutRank <= bestRank) {
      best = line;
      bestRank = cutRank;
    }
    if (lines.end(line) - start > maxChars) return best;
  }
  return count;
}

/**
 * Returns the rank of a cut after `size` characters. It is the rank of its line, or the worst if the run would be too
 * short.
 */
function rankOfCut(lineRank: number, size: number, maxChars: number): number {
  const minSize = lineRank <= rank.deepest ? maxChars / 4 : maxChars / 2;
  return size >= minSize ? lineRank : rank.inside;
}
