const k1 = 1.2;
const b = 0.75;

/**
 * Returns the BM25 score of each row whose text (tokens joined by single spaces) contains any of the words. Repeated
 * words count again.
 */
export function bm25<R>(
  rows: readonly R[],
  textOf: (row: R) => string,
  words: readonly string[],
): Map<R, number> {
  const counted = rows.map((row) => ({ row, ...count(textOf(row)) }));
  const average = counted.reduce((sum, { length }) => sum + length, 0) / counted.length;
  const scores = new Map<R, number>();
  for (const word of words) {
    const holders = counted.filter(({ counts }) => counts.has(word));
    const idf = Math.log(1 + (rows.length - holders.length + 0.5) / (holders.length + 0.5));
    for (const { row, counts, length } of holders) {
      const frequency = counts.get(word) ?? 0;
      const norm = k1 * (1 - b + (b * length) / average);
      const score = (idf * frequency * (k1 + 1)) / (frequency + norm);
      scores.set(row, (scores.get(row) ?? 0) + score);
    }
  }
  return scores;
}

function count(text: string): { readonly counts: Map<string, number>; readonly length: number } {
  const tokens = text.split(' ').filter((token) => token !== '');
  const counts = new Map<string, number>();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  return { counts, length: tokens.length };
}
