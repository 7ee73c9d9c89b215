/** Pairs are many, so each is kept as a 20-bit number: half the index, and a clash adds only a little noise. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
const codes = Uint8Array.from(LETTERS, (letter) => letter.charCodeAt(0));

/** The token of two neighbouring terms: four letters or digits, the same for the same terms. */
export function pairToken(first: string, second: string): string {
  // FNV-1a over both, with a separator that no term holds, then mixed so that all bits count.
  let hash = mixIn(0x811c9dc5, first);
  hash = Math.imul(hash ^ 0x5f, 0x01000193);
  hash = mixIn(hash, second);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash ^= hash >>> 13;
  return String.fromCharCode(
    codes[hash & 31] ?? 0,
    codes[(hash >>> 5) & 31] ?? 0,
    codes[(hash >>> 10) & 31] ?? 0,
    codes[(hash >>> 15) & 31] ?? 0,
  );
}

function mixIn(start: number, term: string): number {
  let hash = start;
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193);
  return hash;
}
