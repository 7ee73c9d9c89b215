/**
 * Pairs are many, so each is kept as a 16-bit number. With 20 bits an index of them takes four times as long to build and
 * ten times as long to bring up to date, and finds nothing better: a clash adds only a little noise.
 */
const LETTERS = '0123456789abcdef';
const codes = Uint8Array.from(LETTERS, (letter) => letter.charCodeAt(0));

/** The token of two neighbouring terms: four hexadecimal digits, the same for the same terms. */
export function pairToken(first: string, second: string): string {
  // FNV-1a over both, with a separator that no term holds, then mixed so that all bits count.
  let hash = mixIn(0x811c9dc5, first);
  hash = Math.imul(hash ^ 0x5f, 0x01000193);
  hash = mixIn(hash, second);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash ^= hash >>> 13;
  return String.fromCharCode(
    codes[hash & 15] ?? 0,
    codes[(hash >>> 4) & 15] ?? 0,
    codes[(hash >>> 8) & 15] ?? 0,
    codes[(hash >>> 12) & 15] ?? 0,
  );
}

function mixIn(start: number, term: string): number {
  let hash = start;
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193);
  return hash;
}
