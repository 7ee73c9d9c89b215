import type { Logger } from '@trove/core';
import { CallPool } from '../workers/call-pool.js';
import type { Artifact } from './artifact.js';
import type { ConvertOperations } from './convert-worker.js';

/** What one conversion gets. */
export const heapMiB = 512;
/** Converters that may take longer than others have processes of their own: each holds a picture, and the program that reads it. */
const patientProcesses = 4;

/** A conversion, given up once nobody waits for it. */
export interface Running {
  readonly artifact: Promise<Artifact>;
  readonly controller: AbortController;
  waiting: number;
}

/** Processes for conversions that do not wait for those of another lane, and what is being converted there. */
export class Lane {
  readonly quick: CallPool<ConvertOperations>;
  readonly patient: CallPool<ConvertOperations>;
  readonly running = new Map<string, Running>();

  constructor(processes: number, isAwaited: boolean, growthMiB: number, logger: Logger) {
    this.quick = poolOf(processes, isAwaited, growthMiB, logger);
    this.patient = poolOf(Math.min(processes, patientProcesses), isAwaited, growthMiB, logger);
  }

  end(id: string, running: Running): void {
    if (this.running.get(id) === running) this.running.delete(id);
    running.controller.abort();
  }

  async close(): Promise<void> {
    await Promise.all([this.quick.close(), this.patient.close()]);
  }
}

function poolOf(
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
    movedOf: () => [],
  });
}
