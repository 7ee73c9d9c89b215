import type { Logger } from '@trove/core';
import { CallPool } from '../workers/call-pool.js';
import type { Artifact } from './artifact.js';
import type { ConvertOperations } from './convert-worker.js';

/** What one conversion gets. */
export const heapMiB = 512;
/** Converters that may take longer than others have processes of their own: each holds a picture, and the program that reads it. */
const maxSlowProcesses = 4;

/** A conversion, given up once nobody waits for it. */
export interface RunningConversion {
  readonly artifact: Promise<Artifact>;
  readonly controller: AbortController;
  waiting: number;
}

/** Processes for conversions that do not wait for those of another lane, and what is being converted there. */
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
