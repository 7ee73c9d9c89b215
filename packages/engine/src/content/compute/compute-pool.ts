import { createToken } from '@trove/core/di';
import type { Logger } from '@trove/core';
import { CallPool } from '@trove/runtime/workers';
import { BackgroundQueue } from '../../generations/scheduling/background-queue.js';
import type { LoadMonitor } from '../../generations/scheduling/load-monitor.js';
import type { ComputeRequests, WorkerSetup } from './messages.js';

const mebibyte = 1024 * 1024;
/**
 * Minimum heap size. With a limit below 2 GiB, V8 collects garbage once a heap has grown by half instead of fourfold.
 * Text objects need up to ten times their size.
 */
const minHeapMiB = 1024;
const heapBytesPerByte = 16;
/** One slow search must not block all other callers. */
const minCallerThreads = 2;

/** The token of `ComputePool` in an engine's container. */
export const CallerPoolToken = createToken<ComputePool>('engine.caller_pool');

/** The token of `JobsPool` in an engine's container. */
export const JobsPoolToken = createToken<JobsPool>('engine.jobs_pool');

/** Runs computations in worker threads. */
export type ComputePool = Pick<CallPool<ComputeRequests>, 'run'>;

/** The pool for indexing. Its own `run` is for work without a job. */
export interface JobsPool extends ComputePool {
  /** Returns the pool for one job. Jobs take turns. */
  of(jobId: string): ComputePool;
  /** Frees the memory of threads that have nothing to do. */
  endIdleThreads(): void;
}

/** The worker threads of an engine. Callers have their own threads, because they must not wait for indexing. */
export interface ComputePools {
  readonly callers: CallPool<ComputeRequests>;
  readonly indexing: CallPool<ComputeRequests>;
}

interface PoolLimits {
  /** Number of threads for indexing. */
  readonly threads: number;
  /** Maximum size of an object. */
  readonly maxFileBytes: number;
}

export function createComputePools(
  { threads, maxFileBytes }: PoolLimits,
  setup: WorkerSetup,
  logger: Logger,
): ComputePools {
  const common = {
    module: new URL('./compute-worker.js', import.meta.url),
    heapMiB: Math.max(minHeapMiB, (maxFileBytes * heapBytesPerByte) / mebibyte),
    logger,
    transferListOf: (request: ComputeRequests[keyof ComputeRequests]['request']) =>
      'object' in request ? [request.object.bytes.buffer] : [],
  };
  return {
    callers: new CallPool<ComputeRequests>({
      ...common,
      setup: { ...setup, embedder: null },
      isAwaited: true,
      size: Math.max(minCallerThreads, threads),
    }),
    indexing: new CallPool<ComputeRequests>({ ...common, setup, size: threads }),
  };
}

/** Wraps the threads in a background queue that pauses while callers wait for processors. */
export function createJobsPool(
  pool: Pick<CallPool<ComputeRequests>, 'run' | 'capacity' | 'endIdleThreads'>,
  callers: LoadMonitor,
): JobsPool {
  const queue = new BackgroundQueue(callers, pool.capacity);
  const of = (jobId: string): ComputePool => ({
    run: (operation, request, options) =>
      queue.run(() => pool.run(operation, request, options), {
        group: jobId,
        signal: options?.signal,
      }),
  });
  return { ...of(''), of, endIdleThreads: () => pool.endIdleThreads() };
}
