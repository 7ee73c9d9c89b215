import { availableParallelism } from 'node:os';
import { TroveError } from '@trove/core';
import type { ThreadPool, WorkerHandle, Workers } from '@trove/core/workers';

import { fromWire } from './errors.js';
import { AnswerQueue } from './answer-queue.js';
import type {
  TaskAnswer,
  TaskBatch,
  TaskInput,
  TaskItem,
  FlowMessage,
  TaskOutput,
  TaskName,
} from './protocol.js';

/** A call that waits for answers of the worker. */
interface TaskCall {
  readonly put: (answer: never) => void;
  readonly fail: (reason: unknown) => void;
}

/** A worker that was requested from the pool. */
interface PendingWorker {
  readonly worker: Promise<WorkerHandle>;
  readonly cancel: AbortController;
}

/** A worker that does not stop an abandoned call within this time is destroyed. */
const maxStopMs = 2000;

/** Each listing uses one thread, each search a few. The pool starts more only if these seem to hang. */
const maxThreads = Math.max(16, 2 * availableParallelism());
/** Includes threads that hang in a system call on a dead disk. */
const maxThreadsIfStalled = 64;
/** The last idle thread stays this long, because starting one delays a request by a tenth of a second. */
const lastIdleMs = 300_000;

/** Creates the thread pool that all sources of an engine share. A thread is not bound to a source. */
export function createThreadPool(workers: Workers): ThreadPool {
  return workers.threadPool(new URL('./worker.js', import.meta.url), {
    maxThreads,
    maxThreadsIfStalled,
    lastIdleMs,
  });
}

/** Runs the calls of one source in one worker of the pool. Returns the worker to the pool when no call is running. */
export class SourceThread {
  #worker: WorkerHandle | null = null;
  #pending: PendingWorker | null = null;
  #isClosed = false;
  #nextId = 1;
  readonly #calls = new Map<number, TaskCall>();
  /** Calls that the worker has not ended. An abandoned call has a timer that destroys the worker. */
  readonly #running = new Map<number, NodeJS.Timeout | undefined>();
  readonly #pool: ThreadPool;

  constructor(pool: ThreadPool) {
    this.#pool = pool;
  }

  /** Runs a task without batches. */
  async run<N extends TaskName>(
    task: N,
    input: TaskInput<N>,
    signal: AbortSignal,
  ): Promise<TaskOutput<N>> {
    const batches = this.stream(task, input, signal);
    for (;;) {
      const step = await batches.next();
      if (step.done === true) return step.value;
    }
  }

  /**
   * Runs a task and yields its batches. Throws the signal's reason on abort, and a retryable `connector_unhealthy` if the
   * thread was destroyed because of another call.
   */
  async *stream<N extends TaskName>(
    task: N,
    input: TaskInput<N>,
    signal: AbortSignal,
  ): AsyncGenerator<TaskItem<N>[], TaskOutput<N>> {
    signal.throwIfAborted();
    if (this.#isClosed) throw new TroveError('engine_closed', 'The source is closed.');
    const id = this.#nextId++;
    const answers = new AnswerQueue<TaskAnswer<N>>();
    let worker: WorkerHandle | null = null;
    const abort = (): void => {
      answers.fail(signal.reason);
      if (worker !== null && this.#running.has(id)) send(worker, { id, flow: 'stop' });
    };
    signal.addEventListener('abort', abort, { once: true });
    this.#calls.set(id, answers);
    let ended = false;
    try {
      // Another call may release the worker before this call resumes.
      do worker = this.#worker ?? (await answers.until(this.#acquire()));
      while (worker !== this.#worker);
      this.#running.set(id, undefined);
      worker.ref();
      worker.postMessage({ id, task, input });
      for (;;) {
        const answer = await answers.take();
        if ('batch' in answer || 'json' in answer) {
          yield batchOf(answer);
          // The final answer may have arrived already, because most tasks have only one batch.
          if (this.#running.has(id)) send(worker, { id, flow: 'more' });
          continue;
        }
        ended = true;
        if ('error' in answer) throw fromWire(answer.error);
        return answer.result;
      }
    } finally {
      signal.removeEventListener('abort', abort);
      this.#calls.delete(id);
      if (!ended && worker !== null) this.#cancel(worker, id);
      this.#releaseIfIdle();
    }
  }

  /** Closes the source. Calls in flight fail with `engine_closed`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#stop(new TroveError('engine_closed', 'The source was closed.'));
  }

  #acquire(): Promise<WorkerHandle> {
    if (this.#pending !== null) return this.#pending.worker;
    const cancel = new AbortController();
    const pending = { cancel, worker: this.#acquireFromPool(cancel.signal) };
    this.#pending = pending;
    pending.worker
      .catch(() => {})
      .finally(() => {
        if (this.#pending === pending) this.#pending = null;
      });
    return pending.worker;
  }

  async #acquireFromPool(cancel: AbortSignal): Promise<WorkerHandle> {
    const worker = await this.#pool.acquire(cancel);
    if (cancel.aborted) this.#pool.release(worker);
    cancel.throwIfAborted();
    this.#attach(worker);
    return worker;
  }

  #attach(worker: WorkerHandle): void {
    this.#worker = worker;
    worker.listen({
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `worker.ts` sends nothing else
      message: (message) => this.#receive(message as { id: number; answer: never }),
      ended: (cause) => this.#fail(cause),
    });
  }

  #receive({ id, answer }: { id: number; answer: never }): void {
    this.#calls.get(id)?.put(answer);
    if (!isLast(answer)) return;
    clearTimeout(this.#running.get(id));
    this.#running.delete(id);
    this.#releaseIfIdle();
  }

  #fail(cause: unknown): void {
    const error = new TroveError('connector_unhealthy', 'Reading files failed unexpectedly.', {
      cause,
      retryable: true,
    });
    void this.#stop(error);
  }

  #detach(): WorkerHandle | null {
    this.#pending?.cancel.abort();
    this.#pending = null;
    const worker = this.#worker;
    this.#worker = null;
    worker?.listen(null);
    return worker;
  }

  async #stop(reason: Error): Promise<void> {
    const isIdle = this.#running.size === 0;
    const worker = this.#detach();
    for (const timer of this.#running.values()) clearTimeout(timer);
    this.#running.clear();
    for (const call of this.#calls.values()) call.fail(reason);
    if (worker === null) return;
    if (isIdle) return this.#pool.release(worker);
    // `close` waits for the end of the worker.
    worker.ref();
    await this.#pool.destroy(worker);
  }

  #cancel(worker: WorkerHandle, id: number): void {
    if (!this.#running.has(id)) return;
    const timer = setTimeout(() => void this.#stop(replacedError()), maxStopMs);
    this.#running.set(id, timer.unref());
    send(worker, { id, flow: 'stop' });
  }

  /** Releases the worker if it runs no call. Callers may still be consuming answers. */
  #releaseIfIdle(): void {
    const hasCalls = this.#calls.size > 0;
    if (this.#running.size > 0) {
      if (!hasCalls) this.#worker?.unref();
      return;
    }
    if (this.#worker === null && hasCalls) return;
    const worker = this.#detach();
    if (worker !== null) this.#pool.release(worker);
  }
}

function send(worker: WorkerHandle, request: FlowMessage): void {
  worker.postMessage(request);
}

function isLast(answer: TaskAnswer<TaskName>): boolean {
  return 'result' in answer || 'error' in answer;
}

function batchOf<N extends TaskName>(answer: TaskBatch<N>): TaskItem<N>[] {
  if ('batch' in answer) return answer.batch;
  const batch: TaskItem<N>[] = JSON.parse(answer.json);
  return batch;
}

function replacedError(): TroveError {
  return new TroveError('connector_unhealthy', 'The thread that read files was replaced.', {
    retryable: true,
  });
}
