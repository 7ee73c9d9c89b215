import { TroveError, type JobOutcome } from '@trove/core';
import { abortController, anySignal } from '@trove/runtime';
import type { TaskSource } from './prepare-object.js';
import { ProviderBreaker } from './provider-breaker.js';
import type { WorkerContext } from './worker-context.js';

/** A job that a worker takes part in. */
export class ActiveJob {
  readonly source: Promise<TaskSource>;
  readonly breaker = new ProviderBreaker();
  /** Claimed tasks that are not done. */
  open = 0;
  /** Whether this worker lists its source and ends it. */
  isLed = false;
  readonly #worker: WorkerContext;
  readonly #controller = abortController();
  #ending: JobOutcome | null = null;

  /** `open` gets the signal that ends all work on the job. */
  constructor(worker: WorkerContext, open: (signal: AbortSignal) => Promise<TaskSource>) {
    this.#worker = worker;
    this.source = open(anySignal(this.#controller.signal, worker.signal).signal);
    this.source.catch(() => undefined);
  }

  /** How the job must end early; null if it need not. */
  get ending(): JobOutcome | null {
    return this.#ending;
  }

  /** Whether what is in progress for it is dropped. */
  get isStopped(): boolean {
    return this.#controller.signal.aborted;
  }

  /** Ends the job early; the first outcome counts. */
  end(outcome: JobOutcome): void {
    if (this.#ending !== null) return;
    this.#ending = outcome;
    this.#controller.abort(new TroveError('cancelled', 'The job is ending'));
    this.#worker.wake.notify();
  }

  /** Drops what is in progress for a job that has ended, here or elsewhere. */
  leave(): void {
    this.#controller.abort(new TroveError('cancelled', 'The job has ended'));
  }
}
