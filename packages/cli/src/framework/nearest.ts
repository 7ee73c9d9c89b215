import { distance } from 'fastest-levenshtein';

/** The candidate that a mistyped word most likely stands for. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const limit = word.length <= 4 ? 1 : 2;
  return candidates
    .map((candidate) => ({
      candidate,
      edits: candidate.startsWith(word) ? 0 : distance(word, candidate),
    }))
    .filter((item) => item.edits <= limit)
    .sort((a, b) => a.edits - b.edits)[0]?.candidate;
}
