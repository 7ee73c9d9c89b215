/** The candidate that a mistyped word most likely means. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const limit = word.length <= 4 ? 1 : 2;
  return candidates
    .map((candidate) => ({
      candidate,
      edits: candidate.startsWith(word) ? 0 : edits(word, candidate),
    }))
    .filter((item) => item.edits <= limit)
    .sort((a, b) => a.edits - b.edits)[0]?.candidate;
}

/** Insertions, deletions and replacements that turn one word into the other. */
function edits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replace = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replace));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
