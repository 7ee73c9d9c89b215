import { TroveError, type Logger } from '@trove/core';
import type { WorkerHandle } from '@trove/core/workers';
import { rejectOnAbort } from '../abort.js';
import type {
  WorkerCall,
  CallStart,
  CallOperations,
  PartOf,
  PartReply,
  SerializedError,
  Reply,
  StrayError,
} from './call-messages.js';
import { startProcess, startThread } from './start.js';

/** One call runs and the others queue in the thread. Further calls wait in the pool. */
const defaultCallsPerThread = 4;
const callLimitMs = 120_000;
/** Time limit of a call after its caller gave up. Then the thread is terminated, because other calls wait. */
const abandonedLimitMs = 2000;
/** An idle thread ends after this time, because its memory is worth more than the 0.1 s of a new start. */
const awaitedIdleMs = 2000;
/** The same for background work, which pauses for up to 3 s while callers use the machine. */
const backgroundIdleMs = 5000;
/**
 * Number of calls after which a thread's heap has grown. A new thread is small, and its start costs little per
 * call.
 */
const agedAfterCalls = 1000;
const agedIdleMs = 200;
/** The last idle thread for callers stays longer, because a start takes 0.5 s on a busy machine. */
const lastThreadIdleMs = 120_000;

export interface CallPoolOptions<R extends CallOperations<R>> {
  /** The module that calls `serveCalls`. */
  readonly module: URL;
  /** Plain data that every thread starts with. */
  readonly setup: object;
  /** Whether callers wait for the results. Otherwise the threads have low priority. Default false. */
  readonly isAwaited?: boolean;
  /**
   * Runs the calls in processes instead of threads. A process is ended when it grows by this number of MiB during one call,
   * or between two parts of its result.
   */
  readonly process?: { readonly growthMiB: number };
  /** Maximum number of threads. */
  readonly size: number;
  /** Maximum heap of a thread. */
  readonly heapMiB: number;
  /** Calls sent to one thread at a time, default 4. With 1, a call that ends its thread fails no other call. */
  readonly callsPerThread?: number;
  readonly logger: Logger;
  /** The buffers of a request that are transferred to the thread. Everything else is copied. */
  readonly transferListOf: (request: R[keyof R]['request']) => ArrayBuffer[];
}

/** `P` is the type of the parts that an operation sends before its result. */
export interface RunOptions<P> {
  /** Default: two minutes. */
  readonly limitMs?: number;
  /** If set, each part restarts the limit, until the call has taken this time in total. */
  readonly maxTotalMs?: number;
  /** Aborts when the caller no longer needs the result. */
  readonly signal?: AbortSignal;
  /** Receives the parts that an operation sends before its result. */
  readonly onPart?: (part: P) => void;
}

interface PoolCall<R extends CallOperations<R>> {
  readonly call: WorkerCall<R>;
  readonly limitMs: number;
  readonly maxTotalMs: number;
  /** Time at which the call was sent to a thread. */
  sentAt: number;
  readonly signal: AbortSignal | undefined;
  readonly onPart: ((part: never) => void) | undefined;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

interface PoolThread<R extends CallOperations<R>> {
  readonly worker: WorkerHandle;
  readonly running: Map<number, PoolCall<R>>;
  /** The number of calls sent to it. */
  calls: number;
  /** The call that the timer limits. Null: the timer limits its idle time. */
  timed: PoolCall<R> | null;
  timer: NodeJS.Timeout | null;
}

/**
 * Runs CPU-bound calls in threads, or in processes, which this file also calls threads. When a thread dies, its
 * calls fail and a new thread replaces it. Idle threads end. Piscina 5 is not used, because its queued calls
 * get no answer after a thread dies unless one thread is kept forever.
 */
export class CallPool<R extends CallOperations<R>> {
  readonly #options: CallPoolOptions<R>;
  readonly #threads: PoolThread<R>[] = [];
  readonly #waiting: PoolCall<R>[] = [];
  #nextId = 1;
  #closed = false;

  constructor(options: CallPoolOptions<R>) {
    this.#options = options;
  }

  /** Maximum number of calls that the threads accept. Further calls wait in the pool. */
  get capacity(): number {
    const { size, callsPerThread = defaultCallsPerThread } = this.#options;
    return size * callsPerThread;
  }

  /**
   * Runs an operation. Throws the error of the operation, or `timed_out` when the thread exceeds `limitMs`. The
   * thread is then terminated.
   */
  run<O extends keyof R>(
    operation: O,
    request: R[O]['request'],
    { limitMs = callLimitMs, maxTotalMs = 0, signal, onPart }: RunOptions<PartOf<R, O>> = {},
  ): Promise<R[O]['result']> {
    if (this.#closed) return Promise.reject(closedError());
    const id = this.#nextId++;
    const result = new Promise<R[O]['result']>((resolve, reject) => {
      const call = { id, operation, request };
      const limits = { limitMs, maxTotalMs, sentAt: 0 };
      this.#waiting.push({ call, ...limits, signal, onPart, resolve, reject });
      this.#dispatch();
    });
    if (signal === undefined) return result;
    return rejectOnAbort(result, signal).finally(() => {
      if (signal.aborted) this.#shortenLimit(id);
    });
  }

  /** Ends the threads without calls now. The next call starts a thread again. */
  endIdleThreads(): void {
    const idle = this.#threads.filter(({ running }) => running.size === 0);
    for (const thread of idle) this.#retire(thread);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(closedError());
    await Promise.all(this.#threads.splice(0).map((thread) => this.#end(thread, closedError())));
  }

  #dispatch(): void {
    while (this.#waiting.length > 0) {
      if (this.#waiting[0]?.signal?.aborted === true) {
        this.#waiting.shift();
        continue;
      }
      const thread = this.#freeThread();
      const next = thread === null ? undefined : this.#waiting.shift();
      if (thread === null || next === undefined) return;
      thread.running.set(next.call.id, next);
      thread.calls++;
      next.sentAt = performance.now();
      thread.worker.ref();
      this.#send(thread, next);
      this.#startTimer(thread);
    }
  }

  /** A request that cannot be cloned, for example because it holds functions, fails only its own call. */
  #send(thread: PoolThread<R>, { call, reject }: PoolCall<R>): void {
    try {
      thread.worker.postMessage(call, this.#options.transferListOf(call.request));
    } catch (cause) {
      thread.running.delete(call.id);
      reject(
        new TroveError(
          'internal_error',
          `The request could not be sent to the worker: ${String(cause)}`,
          { cause },
        ),
      );
    }
  }

  #freeThread(): PoolThread<R> | null {
    const [least] = [...this.#threads].sort((a, b) => a.running.size - b.running.size);
    if (least !== undefined && least.running.size === 0) return least;
    if (this.#threads.length < this.#options.size) return this.#start();
    const { callsPerThread = defaultCallsPerThread } = this.#options;
    return least !== undefined && least.running.size < callsPerThread ? least : null;
  }

  #start(): PoolThread<R> {
    const { module, setup, isAwaited = false, heapMiB, logger } = this.#options;
    const { process: inProcess } = this.#options;
    const data: CallStart = { setup, ...inProcess };
    const start = inProcess === undefined ? startThread : startProcess;
    const worker = start(module, { data, heapMiB, priority: isAwaited ? 'normal' : 'low' });
    worker.listen({
      message: (message) => {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `serveCalls` sends nothing else
        const sent = message as Reply | PartReply | StrayError;
        if ('stray' in sent) logger.error('a plugin failed in a worker', { error: sent.stray });
        else if ('part' in sent) this.#receivePart(thread, sent);
        else this.#settle(thread, sent);
      },
      ended: (error) => this.#removeLost(thread, error),
    });
    const thread: PoolThread<R> = {
      worker,
      running: new Map(),
      calls: 0,
      timed: null,
      timer: null,
    };
    this.#threads.push(thread);
    return thread;
  }

  #receivePart(thread: PoolThread<R>, { id, part }: PartReply): void {
    const running = thread.running.get(id);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- handlers have the types of the operations
    running?.onPart?.(part as never);
    if (running === undefined || running !== thread.timed || running.maxTotalMs === 0) return;
    if (running.signal?.aborted === true) return;
    // Makes `#startTimer` restart the limit of the same call.
    thread.timed = null;
    this.#startTimer(thread);
  }

  #settle(thread: PoolThread<R>, reply: Reply): void {
    const call = thread.running.get(reply.id);
    thread.running.delete(reply.id);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- handlers have the types of the operations
    if (reply.ok) call?.resolve(reply.result as never);
    else call?.reject(toTroveError(reply.error));
    // An idle thread must not keep the process alive.
    if (thread.running.size === 0) thread.worker.unref();
    this.#startTimer(thread);
    this.#dispatch();
  }

  /** Starts the timer of the thread's oldest call or, without calls, of its idle time. */
  #startTimer(thread: PoolThread<R>): void {
    const [oldest = null] = thread.running.values();
    // Calls that are queued behind it, or ended before it, do not extend its time.
    if (thread.timer !== null && oldest !== null && oldest === thread.timed) return;
    if (thread.timer !== null) clearTimeout(thread.timer);
    thread.timed = oldest;
    thread.timer =
      oldest === null
        ? setTimeout(() => this.#idle(thread), this.#idleMsOf(thread)).unref()
        : setTimeout(() => this.#expire(thread, oldest), limitOf(oldest)).unref();
  }

  /** Shortens the time limit of a running call whose caller gave up. */
  #shortenLimit(id: number): void {
    const thread = this.#threads.find(({ timed }) => timed?.call.id === id);
    if (thread === undefined) return;
    thread.timed = null;
    this.#startTimer(thread);
  }

  /**
   * Terminates the thread. Calls queued behind the late one move to another thread if they can be sent again: if
   * they transferred no buffers and pass on no parts.
   */
  #expire(thread: PoolThread<R>, expired: PoolCall<R>): void {
    const late = new TroveError(
      'timed_out',
      `The call took longer than ${expired.limitMs / 1000} s`,
    );
    thread.running.delete(expired.call.id);
    expired.reject(late);
    const resendable = [...thread.running.values()].filter(
      ({ call, onPart }) =>
        onPart === undefined && this.#options.transferListOf(call.request).length === 0,
    );
    for (const { call } of resendable) thread.running.delete(call.id);
    this.#waiting.unshift(...resendable);
    this.#removeLost(thread, late);
  }

  #idleMsOf({ calls }: PoolThread<R>): number {
    const { isAwaited = false } = this.#options;
    if (isAwaited) return awaitedIdleMs;
    return calls < agedAfterCalls ? backgroundIdleMs : agedIdleMs;
  }

  #idle(thread: PoolThread<R>): void {
    const { isAwaited = false, process: inProcess } = this.#options;
    const stays = isAwaited && inProcess === undefined && this.#threads.length === 1;
    if (!stays) return this.#retire(thread);
    thread.timer = setTimeout(() => this.#retire(thread), lastThreadIdleMs).unref();
  }

  #retire(thread: PoolThread<R>): void {
    const position = this.#threads.indexOf(thread);
    if (position < 0) return;
    this.#threads.splice(position, 1);
    if (thread.timer !== null) clearTimeout(thread.timer);
    void thread.worker.terminate();
  }

  #removeLost(thread: PoolThread<R>, error: Error): void {
    const position = this.#threads.indexOf(thread);
    if (position < 0) return;
    this.#threads.splice(position, 1);
    this.#options.logger.error('a worker was lost', { error: error.message });
    // Any of these calls may have killed the thread, so the callers decide whether to retry.
    void this.#end(
      thread,
      new TroveError('internal_error', error.message, { cause: error, retryable: true }),
    );
    this.#dispatch();
  }

  async #end(thread: PoolThread<R>, error: TroveError): Promise<void> {
    if (thread.timer !== null) clearTimeout(thread.timer);
    for (const call of thread.running.values()) call.reject(error);
    thread.running.clear();
    await thread.worker.terminate();
  }
}

function limitOf({
  limitMs,
  maxTotalMs,
  sentAt,
  signal,
}: Pick<PoolCall<never>, 'limitMs' | 'maxTotalMs' | 'sentAt' | 'signal'>): number {
  if (signal?.aborted === true) return Math.min(limitMs, abandonedLimitMs);
  const left = sentAt + maxTotalMs - performance.now();
  return maxTotalMs === 0 ? limitMs : Math.max(0, Math.min(limitMs, left));
}

function toTroveError({ code, detail, ...options }: SerializedError): TroveError {
  return new TroveError(code, detail, options);
}

function closedError(): TroveError {
  return new TroveError('engine_closed', 'The engine is closed');
}
