import type { Workers } from '@trove/core/workers';

import { DatabaseProcess, defaultLimits, type ProcessLimits } from './database-process.js';

interface ProcessUse {
  users: number;
  idle: NodeJS.Timeout | undefined;
}

const pools = new WeakMap<Workers, ProcessPool>();

/** The processes that run SQLite for all sources of an engine. They start on demand and end when idle. */
export class ProcessPool {
  readonly #workers: Workers;
  readonly #limits: ProcessLimits;
  readonly #processes = new Map<DatabaseProcess, ProcessUse>();

  constructor(workers: Workers, limits: ProcessLimits = defaultLimits) {
    this.#workers = workers;
    this.#limits = limits;
  }

  static of(workers: Workers): ProcessPool {
    const pool = pools.get(workers) ?? new ProcessPool(workers);
    pools.set(workers, pool);
    return pool;
  }

  /** The number of running processes. */
  get size(): number {
    return this.#processes.size;
  }

  /** Returns an idle process, or a new one, or beyond the limit the one with the fewest users. */
  acquire(): DatabaseProcess {
    const [process, use] = this.#leastUsed() ?? this.#start();
    clearTimeout(use.idle);
    use.users++;
    return process;
  }

  /** Call it once for each `acquire`. */
  release(process: DatabaseProcess): void {
    const use = this.#processes.get(process);
    if (use === undefined) return;
    use.users--;
    if (use.users === 0) use.idle = setTimeout(() => process.end(), this.#limits.idleMs).unref();
  }

  #leastUsed(): readonly [DatabaseProcess, ProcessUse] | null {
    let least: readonly [DatabaseProcess, ProcessUse] | null = null;
    for (const each of this.#processes)
      if (least === null || each[1].users < least[1].users) least = each;
    const mayStart = this.#processes.size < this.#limits.maxProcesses;
    return mayStart && least !== null && least[1].users > 0 ? null : least;
  }

  #start(): readonly [DatabaseProcess, ProcessUse] {
    const use: ProcessUse = { users: 0, idle: undefined };
    const process = new DatabaseProcess(this.#workers, this.#limits, () => {
      clearTimeout(use.idle);
      this.#processes.delete(process);
    });
    this.#processes.set(process, use);
    return [process, use];
  }
}
