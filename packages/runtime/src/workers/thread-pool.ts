import { TroveError } from '@trove/core';
import type { ThreadPool, ThreadPoolOptions, WorkerHandle } from '@trove/core/workers';
import { startThread } from './start.js';

/** Time without progress after which one more thread is started. */
const stallMs = 1000;
const defaultIdleMs = 5000;

interface ThreadRequest {
  readonly give: (thread: WorkerHandle) => void;
  readonly refuse: (reason: unknown) => void;
}

/** A pool of threads of one module. Each thread is used by one caller at a time. */
export class ExclusiveThreads implements ThreadPool {
  readonly #module: URL;
  readonly #options: ThreadPoolOptions;
  /** Idle threads and their timers. The thread used last is reused first. */
  readonly #idle = new Map<WorkerHandle, NodeJS.Timeout>();
  readonly #busy = new Set<WorkerHandle>();
  readonly #waiting = new Set<ThreadRequest>();
  #stalled: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(module: URL, options: ThreadPoolOptions) {
    this.#module = module;
    this.#options = options;
  }

  async acquire(signal: AbortSignal): Promise<WorkerHandle> {
    signal.throwIfAborted();
    if (this.#isClosed) throw workersClosedError();
    if (this.#waiting.size === 0 && this.#hasFree()) return this.#next();
    return new Promise<WorkerHandle>((resolve, reject) => {
      const abort = (): void => {
        this.#waiting.delete(waiting);
        reject(signal.reason);
        this.#watchStall();
      };
      const waiting = {
        give: (thread: WorkerHandle): void => {
          signal.removeEventListener('abort', abort);
          resolve(thread);
        },
        refuse: (reason: unknown): void => {
          signal.removeEventListener('abort', abort);
          reject(reason);
        },
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.add(waiting);
      this.#watchStall();
    });
  }

  release(thread: WorkerHandle): void {
    if (!this.#busy.delete(thread)) return;
    thread.listen(null);
    thread.unref();
    this.#makeIdle(thread);
    this.#serveWaiting();
  }

  async destroy(thread: WorkerHandle): Promise<void> {
    this.#forget(thread);
    this.#serveWaiting();
    await thread.terminate();
  }

  /** Ends all threads. Waiting callers get `engine_closed`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#stalled);
    for (const { refuse } of this.#waiting) refuse(workersClosedError());
    this.#waiting.clear();
    await Promise.all([...this.#idle.keys(), ...this.#busy].map((thread) => this.destroy(thread)));
  }

  #hasFree(): boolean {
    return this.#idle.size > 0 || this.#busy.size < this.#options.maxThreads;
  }

  #next(): WorkerHandle {
    const thread = [...this.#idle.keys()].at(-1) ?? this.#start();
    clearTimeout(this.#idle.get(thread));
    this.#idle.delete(thread);
    this.#busy.add(thread);
    return thread;
  }

  #start(): WorkerHandle {
    const thread = startThread(this.#module, this.#options, () => {
      this.#forget(thread);
      this.#serveWaiting();
    });
    return thread;
  }

  #makeIdle(thread: WorkerHandle): void {
    const { maxIdle, idleMs = defaultIdleMs, lastIdleMs = idleMs } = this.#options;
    if (this.#isClosed || this.#idle.size === maxIdle) return void thread.terminate();
    const end = (): void => {
      this.#forget(thread);
      void thread.terminate();
    };
    const isLast = this.#idle.size === 0;
    this.#idle.set(thread, setTimeout(end, isLast ? lastIdleMs : idleMs).unref());
  }

  #forget(thread: WorkerHandle): void {
    clearTimeout(this.#idle.get(thread));
    this.#idle.delete(thread);
    this.#busy.delete(thread);
  }

  /** Gives threads to the waiting callers in order of arrival. */
  #serveWaiting(): void {
    for (const waiting of this.#waiting) {
      if (!this.#hasFree()) break;
      this.#give(waiting);
    }
    this.#watchStall();
  }

  #give(waiting: ThreadRequest): void {
    this.#waiting.delete(waiting);
    waiting.give(this.#next());
  }

  /** Restarts the stall timer after a caller got a thread or started to wait. */
  #watchStall(): void {
    clearTimeout(this.#stalled);
    this.#stalled = undefined;
    if (this.#waiting.size === 0) return;
    const { maxThreads, maxThreadsIfStalled = maxThreads } = this.#options;
    this.#stalled = setTimeout(() => {
      const [first] = this.#waiting;
      if (first !== undefined && this.#busy.size < maxThreadsIfStalled) this.#give(first);
      this.#watchStall();
    }, stallMs).unref();
  }
}

export function workersClosedError(): TroveError {
  return new TroveError('engine_closed', 'The engine is closed');
}
