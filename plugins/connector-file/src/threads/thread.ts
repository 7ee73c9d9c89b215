import { MessageChannel } from 'node:worker_threads';
import type { MessagePort, Worker } from 'node:worker_threads';
import { TroveError } from '@trove/core';

import { fromWire } from './errors.js';
import { Inbox } from './inbox.js';
import { leaveWorker, takeWorker } from './spare-workers.js';
import type { Answer, Batch, Input, Item, Request, Result, TaskName } from './protocol.js';

/** An abandoned call must free its thread within this time, or the thread is replaced. */
const LET_GO_MS = 2000;
const IDLE_MS = 60_000;

/** A worker thread that starts on first use, and again after it was stopped. */
export class Thread {
  #worker: Worker | null = null;
  #closed = false;
  #idle: NodeJS.Timeout | undefined;
  readonly #lost = new Set<(reason: Error) => void>();
  /** Calls that were given up, and may still be going on. */
  #leftAlone = 0;

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
    const { port1, port2 } = new MessageChannel();
    const inbox = new Inbox<Answer<N>>();
    const abort = (): void => {
      inbox.fail(signal.reason);
      port1.postMessage('stop' satisfies Request);
    };
    const lose = (reason: Error): void => inbox.fail(reason);
    signal.addEventListener('abort', abort, { once: true });
    this.#lost.add(lose);
    port1.on('message', (answer: Answer<N>) => inbox.put(answer));
    worker.postMessage({ task, input, port: port2 }, [port2]);
    let ended = false;
    try {
      for (;;) {
        const answer = await inbox.take();
        if ('batch' in answer || 'json' in answer) {
          yield batchOf(answer);
          port1.postMessage('more' satisfies Request);
          continue;
        }
        ended = true;
        if ('error' in answer) throw fromWire(answer.error);
        return answer.result;
      }
    } finally {
      signal.removeEventListener('abort', abort);
      this.#lost.delete(lose);
      if (!ended) this.#giveUp(worker, port1);
      this.#rest();
    }
  }

  /** Stops the thread for good. Calls in flight fail with `engine_closed`. */
  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    if (worker !== null && this.#lost.size === 0 && this.#leftAlone === 0) {
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
    for (const lose of this.#lost) lose(reason);
    await worker?.terminate();
  }

  #giveUp(worker: Worker, port: MessagePort): void {
    const timer = setTimeout(() => {
      port.close();
      if (this.#worker === worker) void this.#stop(lostError());
    }, LET_GO_MS);
    timer.unref();
    this.#leftAlone++;
    port.once('close', () => {
      clearTimeout(timer);
      this.#leftAlone--;
    });
    port.unref();
    port.postMessage('stop' satisfies Request);
  }

  /** Idle threads cost memory, and restart in a few dozen milliseconds. */
  #rest(): void {
    clearTimeout(this.#idle);
    if (this.#lost.size > 0 || this.#closed) return;
    this.#idle = setTimeout(() => void this.#stop(lostError()), IDLE_MS);
    this.#idle.unref();
  }
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
