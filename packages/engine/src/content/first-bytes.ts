import type { Content } from '@trove/core';

/** Enough bytes to classify an object by its content. */
const startBytes = 4096;

/** Returns the first bytes and the whole content. A stream is read only as far as needed. */
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

/** A generator that is never started would not close its source, so this is an iterator. */
function continueFrom(
  start: Uint8Array,
  source: AsyncIterator<Uint8Array>,
): AsyncIterableIterator<Uint8Array> {
  let hasStarted = false;
  const all: AsyncIterableIterator<Uint8Array> = {
    async next() {
      if (hasStarted) return source.next();
      hasStarted = true;
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
