import type { Content } from '@trove/core';

import type { ReadTask } from './tasks/read.js';
import type { SourceThread } from './threads/source-thread.js';

/** Reads one file in a worker thread. Streams a large range in pieces, as the caller consumes them. */
export async function readFile(
  thread: SourceThread,
  task: ReadTask,
  signal: AbortSignal,
): Promise<Content> {
  const pieces = thread.stream('read', task, signal);
  const first = await pieces.next();
  const { start } = task.range;
  if (first.done !== true) return { bytes: rest(first.value, pieces), start, transferable: true };
  return { bytes: first.value ?? new Uint8Array(), start, transferable: true };
}

async function* rest(
  first: Uint8Array[],
  pieces: AsyncGenerator<Uint8Array[]>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* first;
    for await (const batch of pieces) yield* batch;
  } finally {
    await pieces.return(undefined);
  }
}
