import { Worker } from 'node:worker_threads';
import { TroveError, type Logger } from '@trove/core';
import type { Call, Operation, Reply, Requests, Stray, WorkerSetup } from './messages.js';

/** Calls sent to one thread at a time: one running, the others queued there; the rest wait on this side. */
const callsPerThread = 4;
const MiB = 1024 * 1024;
/**
 * MiB. With less than 2 GiB to grow to, V8 collects garbage once a heap has grown by half rather than fourfold. Objects
 * of text need up to ten times their size.
 */
const leastHeap = 1024;
const heapForEachByte = 16;
/** MiB. Young objects are soon sent away; more room for them costs memory and saves no time. */
const youngHeap = 12;
/** An idle thread ends after this time: its memory is worth more than the tenth of a second to start another. */
const idleMs = 2000;

interface Waiting {
  readonly call: Call;
  readonly limitMs: number;
  readonly resolve: (result: Requests[Operation]['result']) => void;
  readonly reject: (error: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  readonly running: Map<number, Waiting>;
  timer: NodeJS.Timeout | null;
}

/** Runs CPU-bound work in worker threads. A thread that dies fails its calls and is replaced; an idle one ends. */
export class ComputePool {
  readonly #size: number;
  readonly #largest: number;
  readonly #setup: WorkerSetup;
  readonly #logger: Logger;
  readonly #threads: Thread[] = [];
  readonly #waiting: Waiting[] = [];
  #nextId = 1;
  #closed = false;

  /** `size`: maximum number of threads; `largest`: size of the largest object in bytes. */
  constructor(size: number, largest: number, setup: WorkerSetup, logger: Logger) {
    this.#size = size;
    this.#largest = largest;
    this.#setup = setup;
    this.#logger = logger;
  }

  /** Throws `timed_out` when the thread does not answer in time; the thread is then terminated. */
  run<O extends Operation>(
    operation: O,
    request: Requests[O]['request'],
    limitMs = 120_000,
  ): Promise<Requests[O]['result']> {
    if (this.#closed)
      return Promise.reject(new TroveError('engine_closed', 'The engine is closed'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        call: { id: this.#nextId++, operation, request },
        limitMs,
        resolve,
        reject,
      });
      this.#dispatch();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const closed = new TroveError('engine_closed', 'The engine is closed');
    for (const waiting of this.#waiting.splice(0)) waiting.reject(closed);
    await Promise.all(this.#threads.splice(0).map((thread) => this.#end(thread, closed)));
  }

  #dispatch(): void {
    while (this.#waiting.length > 0) {
      const thread = this.#freeThread();
      const next = thread === null ? undefined : this.#waiting.shift();
      if (thread === null || next === undefined) return;
      thread.running.set(next.call.id, next);
      thread.worker.ref();
      this.#send(thread, next);
      this.#watch(thread);
    }
  }

  /** A request that cannot be cloned (because it holds functions, say) fails only its own call. */
  #send(thread: Thread, { call, reject }: Waiting): void {
    try {
      const { request, transfer } = sendable(call.request);
      thread.worker.postMessage({ ...call, request }, transfer);
    } catch (cause) {
      thread.running.delete(call.id);
      reject(new TroveError('internal_error', `It could not be sent: ${String(cause)}`, { cause }));
    }
  }

  #freeThread(): Thread | null {
    const [least] = [...this.#threads].sort((a, b) => a.running.size - b.running.size);
    if (least !== undefined && least.running.size === 0) return least;
    if (this.#threads.length < this.#size) return this.#start();
    return least !== undefined && least.running.size < callsPerThread ? least : null;
  }

  #start(): Thread {
    const worker = new Worker(new URL('./compute-worker.js', import.meta.url), {
      workerData: this.#setup,
      resourceLimits: {
        maxOldGenerationSizeMb: Math.max(leastHeap, (this.#largest * heapForEachByte) / MiB),
        maxYoungGenerationSizeMb: youngHeap,
      },
      ...(isGivenAsText() ? { execArgv: [] } : {}),
    });
    const thread: Thread = { worker, running: new Map(), timer: null };
    worker.on('message', (message: Reply | Stray) => {
      if ('stray' in message)
        this.#logger.error('a plugin failed in a worker thread', { error: message.stray });
      else this.#settle(thread, message);
    });
    worker.on('error', (error) => this.#lost(thread, error));
    worker.on('exit', () => this.#lost(thread, new Error('the worker thread ended')));
    this.#threads.push(thread);
    return thread;
  }

  #settle(thread: Thread, reply: Reply): void {
    const waiting = thread.running.get(reply.id);
    thread.running.delete(reply.id);
    if (reply.ok) waiting?.resolve(reply.result);
    else waiting?.reject(new TroveError(reply.code, reply.message, { retryable: reply.retryable }));
    // An idle thread must not keep the process alive.
    if (thread.running.size === 0) thread.worker.unref();
    this.#watch(thread);
    this.#dispatch();
  }

  /** Times the thread's current (oldest) call or, without one, its idleness. */
  #watch(thread: Thread): void {
    if (thread.timer !== null) clearTimeout(thread.timer);
    const [oldest] = thread.running.values();
    thread.timer =
      oldest === undefined
        ? setTimeout(() => this.#retire(thread), idleMs).unref()
        : setTimeout(() => this.#tooLate(thread, oldest), oldest.limitMs).unref();
  }

  #tooLate(thread: Thread, waiting: Waiting): void {
    const late = new TroveError('timed_out', `It took longer than ${waiting.limitMs / 1000} s`);
    thread.running.delete(waiting.call.id);
    waiting.reject(late);
    this.#lost(thread, late);
  }

  #retire(thread: Thread): void {
    const position = this.#threads.indexOf(thread);
    if (position < 0) return;
    this.#threads.splice(position, 1);
    void thread.worker.terminate();
  }

  #lost(thread: Thread, error: Error): void {
    const position = this.#threads.indexOf(thread);
    if (position < 0) return;
    this.#threads.splice(position, 1);
    this.#logger.error('a worker thread was lost', { error: error.message });
    // Any of these calls may have killed the thread: the caller decides whether to retry.
    void this.#end(
      thread,
      new TroveError('internal_error', error.message, { cause: error, retryable: true }),
    );
    this.#dispatch();
  }

  async #end(thread: Thread, error: TroveError): Promise<void> {
    if (thread.timer !== null) clearTimeout(thread.timer);
    for (const waiting of thread.running.values()) waiting.reject(error);
    thread.running.clear();
    await thread.worker.terminate();
  }
}

/** The request with a copy of its bytes to transfer, as the connector may have kept what it returned. */
function sendable<O extends Operation>(
  request: Requests[O]['request'],
): {
  request: Requests[O]['request'];
  transfer: ArrayBuffer[];
} {
  if (!('bytes' in request)) return { request, transfer: [] };
  const bytes = new Uint8Array(request.bytes);
  return { request: { ...request, bytes }, transfer: [bytes.buffer] };
}

/** Options for a program given as text (`node -e`) do not apply to the thread's own file. */
function isGivenAsText(): boolean {
  return process.execArgv.some((option) => option.startsWith('--input-type'));
}
