import type { Content } from '@trove/core';

/**
 * All bytes, in memory of their own, as the connector may keep what it returned; null if there are more than `limit`.
 * `expected` is their number by what the source says. Before it takes more of them in, it waits for `more`.
 */
export async function wholeBytes(
  bytes: Content['bytes'],
  expected: number,
  limit: number,
  more: (bytes: number) => Promise<void> = async () => undefined,
): Promise<Uint8Array<ArrayBuffer> | null> {
  let all = new Uint8Array(Math.min(expected, limit));
  let filled = 0;
  for await (const piece of bytes instanceof Uint8Array ? [bytes] : bytes) {
    const end = filled + piece.length;
    if (end > limit) return null;
    await more(end);
    if (end > all.length) {
      const larger = new Uint8Array(Math.min(limit, Math.max(end, 2 * all.length)));
      larger.set(all.subarray(0, filled));
      all = larger;
    }
    all.set(piece, filled);
    filled = end;
  }
  return all.subarray(0, filled);
}
