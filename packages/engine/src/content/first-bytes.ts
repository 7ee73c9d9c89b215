import type { Content } from '@trove/core';

/** Enough to tell by its content what an object is. */
const startBytes = 4096;

/** The first bytes, and all of them. */
export async function readStart(
  bytes: Content['bytes'],
): Promise<{ readonly start: Uint8Array; readonly bytes: Content['bytes'] }> {
  if (bytes instanceof Uint8Array) return { start: bytes.subarray(0, startBytes), bytes };
  const source = bytes[Symbol.asyncIterator]();
  const pieces: Uint8Array[] = [];
  let length = 0;
  while (length < startBytes) {
    const step = await source.next();
    if (step.done === true) break;
    pieces.push(step.value);
    length += step.value.length;
  }
  const [first = new Uint8Array()] = pieces;
  const start = pieces.length > 1 ? Buffer.concat(pieces) : first;
  return { start, bytes: continueFrom(start, source) };
}

/** A generator would not close its source if nobody ever asks it for a piece. */
function continueFrom(
  start: Uint8Array,
  source: AsyncIterator<Uint8Array>,
): AsyncIterableIterator<Uint8Array> {
  let begun = false;
  const all: AsyncIterableIterator<Uint8Array> = {
    async next() {
      if (begun) return source.next();
      begun = true;
      return { done: false, value: start };
    },
    async return() {
      await source.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => all,
  };
  return all;
}
