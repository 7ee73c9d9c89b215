import type { Content } from '@trove/core';
import { freeMemory } from '@trove/runtime';

/**
 * All bytes, in memory of their own, as the connector may keep what it returned unless it says that it is given; null if
 * there are more than `limit`. `expected` is their number by what the source says. Before it takes more of them in, it
 * waits for `more`.
 */
export async function collectBytes(
  { bytes, transferable = false }: Pick<Content, 'bytes' | 'transferable'>,
  expected: number,
  limit: number,
  more: (bytes: number) => Promise<void> = async () => undefined,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (transferable && bytes instanceof Uint8Array && ownsBuffer(bytes)) {
    if (bytes.length > limit) return null;
    await more(bytes.length);
    return bytes;
  }
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
    if (transferable) freeMemory(piece);
  }
  return all.subarray(0, filled);
}

/** Whether they are all that is in their memory. */
function ownsBuffer(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer && bytes.buffer.byteLength === bytes.length;
}
