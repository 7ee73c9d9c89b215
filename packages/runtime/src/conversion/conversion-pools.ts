import type { Logger } from '@trove/core';
import { CallPool } from '../workers/call-pool.js';
import type { Artifact } from './artifact.js';
import type { ConvertOperations } from './convert-worker.js';

/** Maximum heap of a converting process. */
export const heapMiB = 512;
/** Slow converters have separate processes. Each holds a page image and the recognition program in memory. */
const maxSlowProcesses = 4;

/**
 * A running conversion and the number of callers that wait for it. It is cancelled when the number drops to 0.
 */
export interface RunningConversion {
  readonly artifact: Promise<Artifact>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * The processes and running conversions of one priority. Callers and background work have separate instances.
 */
export class ConversionPools {
  readonly standard: CallPool<ConvertOperations>;
  readonly slow: CallPool<ConvertOperations>;
  readonly running = new Map<string, RunningConversion>();

  constructor(processes: number, isAwaited: boolean, growthMiB: number, logger: Logger) {
    this.standard = createPool(processes, isAwaited, growthMiB, logger);
    this.slow = createPool(Math.min(processes, maxSlowProcesses), isAwaited, growthMiB, logger);
  }

  cancel(id: string, running: RunningConversion): void {
    if (this.running.get(id) === running) this.running.delete(id);
    running.controller.abort();
  }

  async close(): Promise<void> {
    await Promise.all([this.standard.close(), this.slow.close()]);
  }
}

function createPool(
  size: number,
  isAwaited: boolean,
  growthMiB: number,
  logger: Logger,
): CallPool<ConvertOperations> {
  return new CallPool({
    module: new URL('./convert-worker.js', import.meta.url),
    setup: {},
    isAwaited,
    process: { growthMiB },
    size,
    heapMiB,
    callsPerThread: 1,
    logger,
    transferListOf: () => [],
  });
}
