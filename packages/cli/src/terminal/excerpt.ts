/** Consecutive lines of a text, with the number of lines before and after. */
export interface Excerpt {
  readonly before: number;
  readonly lines: readonly string[];
  readonly after: number;
}

/** Returns the up to `count` consecutive lines that contain most of the words. */
export function excerptOf(text: string, words: readonly string[], count: number): Excerpt {
  const lines = text.trimEnd().split('\n');
  const scores = lines.map((line) => scoreLine(line.toLowerCase(), words));
  let best = 0;
  let bestScore = -1;
  for (let start = 0; start <= Math.max(0, lines.length - count); start++) {
    const sum = scores.slice(start, start + count).reduce((total, item) => total + item, 0);
    if (sum > bestScore) [best, bestScore] = [start, sum];
  }
  return {
    before: best,
    lines: lines.slice(best, best + count),
    after: Math.max(0, lines.length - best - count),
  };
}

function scoreLine(line: string, words: readonly string[]): number {
  return words.filter((word) => line.includes(word.toLowerCase())).length;
}
