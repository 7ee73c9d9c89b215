import type { ByteRange, Content } from '@trove/core';
import { collectBytes } from './byte-buffer.js';

/** Collects a range from content that may begin before it. Returns null if the range exceeds `limit` bytes. */
export async function collectRange(
  { bytes, start }: Required<Pick<Content, 'bytes' | 'start'>>,
  range: ByteRange,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const from = range.start - start;
  const to = (range.end ?? Infinity) - start;
  return collectBytes({ bytes: sliceStream(bytes, from, to) }, 0, limit);
}

async function* sliceStream(
  bytes: Content['bytes'],
  from: number,
  to: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let at = 0;
  for await (const piece of bytes instanceof Uint8Array ? [bytes] : bytes) {
    const slice = piece.subarray(Math.max(0, from - at), Math.max(0, to - at));
    if (slice.length > 0) yield slice;
    at += piece.length;
    if (at >= to) return;
  }
}
