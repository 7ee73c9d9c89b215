import type { Worker } from 'node:worker_threads';
import { TroveError } from '@trove/core';

import { fromWire } from './errors.js';
import { Inbox } from './inbox.js';
import { leaveWorker, takeWorker } from './spare-workers.js';
import type { Answer, Batch, Input, Item, Request, Result, TaskName } from './protocol.js';

/** The side of a call that waits for answers. */
interface Call {
  readonly put: (answer: never) => void;
  readonly fail: (reason: unknown) => void;
}

/** An abandoned call must free its thread within this time, or the thread is replaced. */
const LET_GO_MS = 2000;
/** To start another takes a tenth of a second, which whoever lists a folder would wait for. */
const IDLE_MS = 300_000;
/** Searches take longer than a thread to start, and each thread has a heap of its own. */
export const SEARCHER_IDLE_MS = 20_000;

/** A worker thread that starts on first use, and again after it was stopped. */
export class Thread {
  readonly #idleMs: number;
  #worker: Worker | null = null;
  #closed = false;
  #idle: NodeJS.Timeout | undefined;
  #nextId = 1;
  readonly #calls = new Map<number, Call>();
  /** Calls that the worker has not ended, each with what stops it if it was given up and goes on for too long. */
  readonly #working = new Map<number, NodeJS.Timeout | undefined>();

  /** `idleMs`: for how long it stays with nothing to do. */
  constructor(idleMs = IDLE_MS) {
    this.#idleMs = idleMs;
  }

  /** Runs a task without batches. */
  async run<N extends TaskName>(task: N, input: Input<N>, signal: AbortSignal): Promise<Result<N>> {
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
    input: Input<N>,
    signal: AbortSignal,
  ): AsyncGenerator<Item<N>[], Result<N>> {
    signal.throwIfAborted();
    const worker = this.#start();
    const id = this.#nextId++;
    const inbox = new Inbox<Answer<N>>();
    const abort = (): void => {
      inbox.fail(signal.reason);
      ask(worker, { id, ask: 'stop' });
    };
    signal.addEventListener('abort', abort, { once: true });
    this.#calls.set(id, inbox);
    this.#working.set(id, undefined);
    worker.ref();
    worker.postMessage({ id, task, input });
    let ended = false;
    try {
      for (;;) {
        const answer = await inbox.take();
        if ('batch' in answer || 'json' in answer) {
          yield batchOf(answer);
          // Its end may be here already, and most tasks have one batch only.
          if (this.#working.has(id)) ask(worker, { id, ask: 'more' });
          continue;
        }
        ended = true;
        if ('error' in answer) throw fromWire(answer.error);
        return answer.result;
      }
    } finally {
      signal.removeEventListener('abort', abort);
      this.#calls.delete(id);
      if (!ended) this.#giveUp(worker, id);
      if (this.#calls.size === 0 && this.#worker === worker) worker.unref();
      this.#rest();
    }
  }

  /** Stops the thread for good. Calls in flight fail with `engine_closed`. */
  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    if (worker !== null && this.#calls.size === 0 && this.#working.size === 0) {
      clearTimeout(this.#idle);
      this.#worker = null;
      return leaveWorker(worker);
    }
    await this.#stop(new TroveError('engine_closed', 'The source was closed.'));
  }

  #start(): Worker {
    if (this.#closed) throw new TroveError('engine_closed', 'The source is closed.');
    clearTimeout(this.#idle);
    if (this.#worker !== null) return this.#worker;
    const worker = takeWorker();
    worker.on('message', ({ id, answer }: { id: number; answer: never }) => {
      this.#take(id, answer);
    });
    worker.on('error', (cause) => {
      const error = new TroveError('connector_unhealthy', 'Reading files failed unexpectedly.', {
        cause,
        retryable: true,
      });
      if (this.#worker === worker) void this.#stop(error);
    });
    this.#worker = worker;
    return worker;
  }

  async #stop(reason: Error): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = null;
    for (const timer of this.#working.values()) clearTimeout(timer);
    this.#working.clear();
    for (const call of this.#calls.values()) call.fail(reason);
    // Who closes waits for its end.
    worker?.ref();
    await worker?.terminate();
  }

  #take(id: number, answer: never): void {
    this.#calls.get(id)?.put(answer);
    if (!isLast(answer)) return;
    clearTimeout(this.#working.get(id));
    this.#working.delete(id);
  }

  #giveUp(worker: Worker, id: number): void {
    if (!this.#working.has(id)) return;
    const timer = setTimeout(() => void this.#stop(lostError()), LET_GO_MS);
    this.#working.set(id, timer.unref());
    ask(worker, { id, ask: 'stop' });
  }

  /** Idle threads cost memory, and restart in a few dozen milliseconds, on a busy machine in some hundred. */
  #rest(): void {
    clearTimeout(this.#idle);
    if (this.#calls.size > 0 || this.#closed) return;
    this.#idle = setTimeout(() => void this.#stop(lostError()), this.#idleMs);
    this.#idle.unref();
  }
}

function ask(worker: Worker, request: Request): void {
  worker.postMessage(request);
}

function isLast(answer: Answer<TaskName>): boolean {
  return 'result' in answer || 'error' in answer;
}

function batchOf<N extends TaskName>(answer: Batch<N>): Item<N>[] {
  if ('batch' in answer) return answer.batch;
  const batch: Item<N>[] = JSON.parse(answer.json);
  return batch;
}

function lostError(): TroveError {
  return new TroveError('connector_unhealthy', 'The thread that read files was replaced.', {
    retryable: true,
  });
}
