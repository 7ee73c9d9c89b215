import { TroveError, type JobOutcome, type JobRecord } from '@trove/core';
import { abortController, anySignal } from '@trove/runtime';
import { isLarge } from '../jobs/large-jobs.js';
import type { TaskSource } from './prepare-object.js';
import { ProviderBreaker } from './provider-breaker.js';
import type { WorkerContext } from './worker-context.js';

/** A job that a worker takes part in. */
export class ActiveJob {
  readonly id: string;
  readonly source: Promise<TaskSource>;
  readonly breaker = new ProviderBreaker();
  /** Claimed tasks that are not done. */
  open = 0;
  /** Of these, those not handed to the writer yet. */
  preparing = 0;
  /** Whether some of them wait for room to begin. */
  isStarting = false;
  /** As far as is known: it has many chunks. */
  isLarge = false;
  /** Whether this worker lists its source and ends it. */
  isLed = false;
  readonly #worker: WorkerContext;
  readonly #controller = abortController();
  #ending: JobOutcome | null = null;

  /** `open` gets the signal that ends all work on the job. */
  constructor(
    id: string,
    worker: WorkerContext,
    open: (signal: AbortSignal) => Promise<TaskSource>,
  ) {
    this.id = id;
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

  /** Takes note of what is stored of it now. */
  update(job: JobRecord): void {
    this.isLarge = isLarge(job);
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
