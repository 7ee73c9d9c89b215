import { closest, distance } from 'fastest-levenshtein';

/** Returns the most likely candidate for a mistyped word, or undefined. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const completed = candidates.find((candidate) => candidate.startsWith(word));
  if (completed !== undefined) return completed;
  const closestCandidate = closest(word, candidates);
  return distance(word, closestCandidate) <= (word.length <= 4 ? 1 : 2)
    ? closestCandidate
    : undefined;
}
