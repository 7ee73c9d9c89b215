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

/** The side of a call that waits for answers. */
interface TaskCall {
  readonly put: (answer: never) => void;
  readonly fail: (reason: unknown) => void;
}

/** A worker that was asked of the pool. */
interface PendingWorker {
  readonly worker: Promise<WorkerHandle>;
  readonly cancel: AbortController;
}

/** An abandoned call must free its worker within this time, or the worker is ended. */
const maxStopMs = 2000;

/** Each sync holds one while it lists, each search a few. More are started only where these seem to hang. */
const maxThreads = Math.max(16, 2 * availableParallelism());
/** A thread in a system call on a dead disk does not end. */
const maxThreadsIfStalled = 64;
/** To start a thread takes a tenth of a second, which a caller that lists a folder would wait for. */
const lastIdleMs = 300_000;

/** The threads in which all sources of an engine do their work. A thread remembers nothing of what it has read. */
export function createThreadPool(workers: Workers): ThreadPool {
  return workers.threadPool(new URL('./worker.js', import.meta.url), {
    maxThreads,
    maxThreadsIfStalled,
    lastIdleMs,
  });
}

/** Runs the calls of one source: all in one worker of the pool, which it holds for as long as any of them goes on. */
export class SourceThread {
  #worker: WorkerHandle | null = null;
  #arriving: PendingWorker | null = null;
  #closed = false;
  #nextId = 1;
  readonly #calls = new Map<number, TaskCall>();
  /** Calls that the worker has not ended, each with what stops it if it was given up and goes on for too long. */
  readonly #working = new Map<number, NodeJS.Timeout | undefined>();
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
   * Runs a task batch by batch; throws the signal's reason as soon as it aborts, and a retryable `connector_unhealthy`
   * when the thread had to be stopped because of another call.
   */
  async *stream<N extends TaskName>(
    task: N,
    input: TaskInput<N>,
    signal: AbortSignal,
  ): AsyncGenerator<TaskItem<N>[], TaskOutput<N>> {
    signal.throwIfAborted();
    if (this.#closed) throw new TroveError('engine_closed', 'The source is closed.');
    const id = this.#nextId++;
    const inbox = new AnswerQueue<TaskAnswer<N>>();
    let worker: WorkerHandle | null = null;
    const abort = (): void => {
      inbox.fail(signal.reason);
      if (worker !== null && this.#working.has(id)) send(worker, { id, flow: 'stop' });
    };
    signal.addEventListener('abort', abort, { once: true });
    this.#calls.set(id, inbox);
    let ended = false;
    try {
      // It may be given back again before this call gets to it.
      do worker = this.#worker ?? (await inbox.until(this.#arrive()));
      while (worker !== this.#worker);
      this.#working.set(id, undefined);
      worker.ref();
      worker.postMessage({ id, task, input });
      for (;;) {
        const answer = await inbox.take();
        if ('batch' in answer || 'json' in answer) {
          yield batchOf(answer);
          // Its end may be here already, and most tasks have one batch only.
          if (this.#working.has(id)) send(worker, { id, flow: 'more' });
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
      this.#rest();
    }
  }

  /** Stops for good. Calls in flight fail with `engine_closed`. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#stop(new TroveError('engine_closed', 'The source was closed.'));
  }

  #arrive(): Promise<WorkerHandle> {
    if (this.#arriving !== null) return this.#arriving.worker;
    const cancel = new AbortController();
    const arriving = { cancel, worker: this.#take(cancel.signal) };
    this.#arriving = arriving;
    arriving.worker
      .catch(() => {})
      .finally(() => {
        if (this.#arriving === arriving) this.#arriving = null;
      });
    return arriving.worker;
  }

  async #take(cancel: AbortSignal): Promise<WorkerHandle> {
    const worker = await this.#pool.acquire(cancel);
    if (cancel.aborted) this.#pool.release(worker);
    cancel.throwIfAborted();
    this.#hold(worker);
    return worker;
  }

  #hold(worker: WorkerHandle): void {
    this.#worker = worker;
    worker.listen({
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `worker.ts` sends nothing else
      message: (message) => this.#hear(message as { id: number; answer: never }),
      ended: (cause) => this.#fail(cause),
    });
  }

  #hear({ id, answer }: { id: number; answer: never }): void {
    this.#calls.get(id)?.put(answer);
    if (!isLast(answer)) return;
    clearTimeout(this.#working.get(id));
    this.#working.delete(id);
    this.#rest();
  }

  #fail(cause: unknown): void {
    const error = new TroveError('connector_unhealthy', 'Reading files failed unexpectedly.', {
      cause,
      retryable: true,
    });
    void this.#stop(error);
  }

  #letGo(): WorkerHandle | null {
    this.#arriving?.cancel.abort();
    this.#arriving = null;
    const worker = this.#worker;
    this.#worker = null;
    worker?.listen(null);
    return worker;
  }

  async #stop(reason: Error): Promise<void> {
    const isIdle = this.#working.size === 0;
    const worker = this.#letGo();
    for (const timer of this.#working.values()) clearTimeout(timer);
    this.#working.clear();
    for (const call of this.#calls.values()) call.fail(reason);
    if (worker === null) return;
    if (isIdle) return this.#pool.release(worker);
    // Who closes waits for its end.
    worker.ref();
    await this.#pool.destroy(worker);
  }

  #cancel(worker: WorkerHandle, id: number): void {
    if (!this.#working.has(id)) return;
    const timer = setTimeout(() => void this.#stop(replacedError()), maxStopMs);
    this.#working.set(id, timer.unref());
    send(worker, { id, flow: 'stop' });
  }

  /** Gives the worker back when nothing goes on in it any more, though its answers may still be waited for. */
  #rest(): void {
    const isWanted = this.#calls.size > 0;
    if (this.#working.size > 0) {
      if (!isWanted) this.#worker?.unref();
      return;
    }
    if (this.#worker === null && isWanted) return;
    const worker = this.#letGo();
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
