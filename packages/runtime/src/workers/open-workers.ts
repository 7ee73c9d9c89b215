import type { WorkerHandle, Workers } from '@trove/core/workers';
import { resolveWithin } from '../abort.js';
import { startProcess, startThread } from './start.js';
import { ExclusiveThreads, workersClosedError } from './thread-pool.js';

/** Time limit for ending. A thread in a hanging system call never ends. */
const closeMs = 2000;

export interface OpenWorkers extends Workers {
  /** Ends all threads and processes. Later calls throw `engine_closed`. */
  close(): Promise<void>;
}

/** Starts and tracks the threads and processes of one engine. */
export function openWorkers(): OpenWorkers {
  const running = new Set<WorkerHandle>();
  const pools = new Map<string, ExclusiveThreads>();
  let isClosed = false;
  const track = <W extends WorkerHandle>(start: (ended: () => void) => W): W => {
    if (isClosed) throw workersClosedError();
    const worker = start(() => running.delete(worker));
    running.add(worker);
    return worker;
  };
  return {
    startThread: (module, options) => track((ended) => startThread(module, options, ended)),
    startProcess: (module, options) => track((ended) => startProcess(module, options, ended)),
    threadPool: (module, options) => {
      if (isClosed) throw workersClosedError();
      const pool = pools.get(module.href) ?? new ExclusiveThreads(module, options);
      pools.set(module.href, pool);
      return pool;
    },
    close: async () => {
      isClosed = true;
      const ends = [
        ...Array.from(running, (worker) => worker.terminate()),
        ...Array.from(pools.values(), (pool) => pool.close()),
      ];
      await resolveWithin(Promise.all(ends), closeMs, undefined);
    },
  };
}
