import type { Logger } from '@trove/core';
import { ThreadPool } from '@trove/runtime';
import type { Requests, WorkerSetup } from './messages.js';

const MiB = 1024 * 1024;
/**
 * MiB. With less than 2 GiB to grow to, V8 collects garbage once a heap has grown by half rather than fourfold. Objects
 * of text need up to ten times their size.
 */
const leastHeap = 1024;
const heapForEachByte = 16;

/** The worker threads of an engine. */
export type ComputePool = ThreadPool<Requests>;

/** `size`: maximum number of threads; `largest`: size of the largest object in bytes. */
export function computePool(
  size: number,
  largest: number,
  setup: WorkerSetup,
  logger: Logger,
): ComputePool {
  return new ThreadPool({
    module: new URL('./compute-worker.js', import.meta.url),
    setup,
    size,
    heapMiB: Math.max(leastHeap, (largest * heapForEachByte) / MiB),
    logger,
    movedOf: (request) => ('object' in request ? [request.object.bytes.buffer] : []),
  });
}
