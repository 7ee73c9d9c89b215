import { rejectOnAbort, type Gate } from '@trove/runtime';

type Bytes = AsyncIterable<Uint8Array>;

/** Enters the gate after the first bytes have arrived. A client that connects and sends nothing blocks no others. */
export async function runAfterFirstByte<T>(
  gate: Gate,
  bytes: Bytes,
  signal: AbortSignal,
  work: (bytes: Bytes) => Promise<T>,
): Promise<T> {
  const pieces = bytes[Symbol.asyncIterator]();
  const first = await rejectOnAbort(pieces.next(), signal);
  let isStarted = false;
  try {
    return await gate.run(signal, () => {
      isStarted = true;
      return work(withFirst(first, pieces));
    });
  } finally {
    if (!isStarted) await pieces.return?.();
  }
}

async function* withFirst(
  first: IteratorResult<Uint8Array>,
  pieces: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  try {
    for (let next = first; next.done !== true; next = await pieces.next()) yield next.value;
  } finally {
    await pieces.return?.();
  }
}
