import { rank, type TextStructure } from './structure.js';

/** Length of the longest line ending. */
const maxLineEndChars = 2;

/** A run of whole lines, `first` to `last`, 0-based; neither is blank. */
export interface LineSpan {
  readonly first: number;
  readonly last: number;
}

/**
 * Splits a text into runs of at most `maxChars` characters, each ending before the line that best starts the next. A
 * heading or definition may end a run once it is a quarter full, a paragraph once it is half full; otherwise the run
 * takes what fits. A line longer than `maxChars` is a run of its own. Every line is visited only a few times. None
 * reaches beyond one of `ends`, lines in ascending order.
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
  let passed = 0;
  while (first < count) {
    if (lines.isBlank(first)) {
      first++;
      continue;
    }
    while ((ends[passed] ?? count) <= first && passed < ends.length) passed++;
    const next = nextCut(structure, first, Math.min(count, ends[passed] ?? count), maxChars);
    let last = next - 1;
    while (last > first && lines.isBlank(last)) last--;
    yield { first, last };
    first = next;
  }
}

/** The line to start the next run at: the best within reach, the last among equals; `count` if all the rest fits. */
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
    const judged = rankOfCut(ranks[line] ?? rank.inside, size, maxChars);
    if (judged <= bestRank) {
      best = line;
      bestRank = judged;
    }
    if (lines.end(line) - start > maxChars) return best;
  }
  return count;
}

/** The rank of a cut after `size` characters: that of its line, or the worst if the run would be too short. */
function rankOfCut(lineRank: number, size: number, maxChars: number): number {
  const wanted = lineRank <= rank.deepest ? maxChars / 4 : maxChars / 2;
  return size >= wanted ? lineRank : rank.inside;
}
