import { setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';

const lowPriority = 15;

/**
 * Lowers the priority of the calling thread. Lowers the priority of the whole process if the main thread of a
 * worker process calls it.
 */
export function lowerPriority(): void {
  // Outside Linux, a priority applies to the whole process, which also serves requests.
  if (!isMainThread && process.platform !== 'linux') return;
  try {
    setPriority(lowPriority);
  } catch {
    // Not permitted. The worker keeps its normal priority.
  }
}
