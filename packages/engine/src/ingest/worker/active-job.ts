import { TroveError } from '@trove/core';
import type { JobOutcome, JobRecord } from '@trove/core/store';
import { createAbortController, anySignal } from '@trove/runtime';
import { isLarge } from '../../generations/scheduling/large-jobs.js';
import type { TaskSource } from '../tasks/prepare-object.js';
import { CircuitBreaker } from '../tasks/circuit-breaker.js';
import type { WorkerContext } from './worker-context.js';

/** A job that a worker takes part in. */
export class ActiveJob {
  readonly id: string;
  readonly source: Promise<TaskSource>;
  readonly breaker = new CircuitBreaker();
  /** The number of claimed tasks that are not done. */
  open = 0;
  /** The number of started tasks that have not yet passed their result to the writer. */
  preparing = 0;
  /** Whether some claimed tasks still wait for their share of the memory budget. */
  isStarting = false;
  /** Whether the job had many chunks at the last update. */
  isLarge = false;
  /** Whether this worker lists its source and ends it. */
  isLed = false;
  readonly #worker: WorkerContext;
  readonly #controller = createAbortController();
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

  /** Whether work in progress for the job is dropped. */
  get isStopped(): boolean {
    return this.#controller.signal.aborted;
  }

  /** Updates the state from the job's current record. */
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

  /** Drops work in progress after the job has ended, in this process or another. */
  abandon(): void {
    this.#controller.abort(new TroveError('cancelled', 'The job has ended'));
  }
}
