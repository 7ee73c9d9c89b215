import type { Content } from '@trove/core';
import { freeMemory } from '@trove/runtime';

/**
 * Collects all bytes in memory that the caller owns. Copies them unless the content is transferable, because
 * connectors may keep what they returned.
 *
 * Returns null for more than `limit` bytes. `expected` is the size that the source reported. Awaits `more` before it
 * accepts further bytes.
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

/** Whether the array covers its whole buffer. */
function ownsBuffer(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer && bytes.buffer.byteLength === bytes.length;
}
