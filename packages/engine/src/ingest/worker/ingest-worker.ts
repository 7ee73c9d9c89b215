import { TroveError, type Logger } from '@trove/core';
import type { JobRecord } from '@trove/core/store';
import { createAbortController } from '@trove/runtime';
import type { Connectors } from '../../sources/connectors/connectors.js';
import { SampledContent } from '../training/sampled-content.js';
import { ActiveJob } from './active-job.js';
import { JobLeader } from './job-leader.js';
import { cancelledOutcome, failedOutcome, findCrashLoop } from '../tasks/job-outcome.js';
import type { TaskSource } from '../tasks/prepare-object.js';
import type { IngestServices } from '../tasks/process-task.js';
import { scheduleTrigger } from '../schedules/schedule-trigger.js';
import { TaskRunner } from '../tasks/task-runner.js';
import { WorkerContext } from './worker-context.js';
import { releaseDeadWorkers } from './worker-name.js';

const leaseMs = 60_000;
const heartbeatMs = 10_000;
/** How often the queue is polled for work that other processes added. */
const pollMs = 300;
/** Jobs that wait at the request of their source do not count. */
const maxJobs = 32;

export interface IngestWorkerOptions {
  /** Unique among all workers that ever lived. */
  readonly name: string;
  readonly services: IngestServices;
  readonly connectors: Connectors;
  readonly logger: Logger;
  readonly onJobEnd: () => void;
}

/**
 * Works on the queue. Leads the jobs that it claims and runs tasks of every running job, including those of other
 * leaders. Stopping gives back unfinished work.
 */
export class IngestWorker {
  readonly #controller = createAbortController();
  readonly #context: WorkerContext;
  readonly #connectors: Connectors;
  readonly #leader: JobLeader;
  readonly #tasks: TaskRunner;
  readonly #jobs = new Map<string, ActiveJob>();
  readonly #leading = new Map<string, Promise<void>>();
  /** The ids of led jobs that a schedule queued. */
  readonly #scheduled = new Set<string>();
  /** The ids of running jobs whose source asks for a pause. */
  #paused: ReadonlySet<string> = new Set();
  #loop: Promise<void> | null = null;
  #turn = 0;

  constructor({ name, services, connectors, logger, onJobEnd }: IngestWorkerOptions) {
    const { signal } = this.#controller;
    this.#context = new WorkerContext(name, services, logger, signal);
    this.#connectors = connectors;
    this.#leader = new JobLeader(this.#context, pollMs, onJobEnd);
    this.#tasks = new TaskRunner(this.#context, leaseMs);
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** Polls the queue immediately. */
  notify(): void {
    this.#context.wake.notify();
  }

  /** Stops this worker's share of a job before the next poll would. */
  cancel(jobId: string): void {
    this.#jobs.get(jobId)?.end(cancelledOutcome);
  }

  /** Finishes or gives back everything. Idempotent. */
  async stop(): Promise<void> {
    this.#controller.abort(new TroveError('engine_closed', 'The worker is stopping'));
    this.notify();
    await this.#loop;
    await Promise.allSettled([...this.#leading.values(), this.#tasks.idle()]);
    const { services, name } = this.#context;
    if (this.#loop !== null) await services.store.leases.release(name);
  }

  async #run(): Promise<void> {
    const { signal, wake } = this.#context;
    const heartbeat = setInterval(() => void this.#beat(), heartbeatMs);
    while (!signal.aborted) {
      const { version } = wake;
      const worked = await this.#context.attempt('working on the queue', () => this.#step());
      if (worked !== true) await wake.wait(version, pollMs);
    }
    clearInterval(heartbeat);
  }

  /** Polls the queue once. Returns true if tasks were claimed, because more may be waiting. */
  async #step(): Promise<boolean> {
    const { services, name, signal } = this.#context;
    const { store } = services;
    while (this.#countActive(this.#leading) < maxJobs && !signal.aborted) {
      const isFull = this.#countActive(this.#scheduled) >= services.settings.maxScheduledJobs;
      const options = isFull ? { exceptTrigger: scheduleTrigger } : {};
      const job = await store.jobs.claim(name, leaseMs, options);
      if (job === null) break;
      const problem = await findCrashLoop(store, job);
      if (problem === null) this.#lead(job);
      else await this.#leader.setAside(job, problem);
    }
    const running = await store.jobs.running();
    this.#paused = new Set(running.filter(isPaused).map(({ id }) => id));
    this.#forget(running);
    let claimed = 0;
    for (const job of rotate(running, this.#turn++)) {
      const active = this.#join(job);
      if (job.cancelRequested) active.end(cancelledOutcome);
      if (active.ending === null && !signal.aborted)
        claimed += await this.#tasks.claim(job, active);
    }
    return claimed > 0;
  }

  /** Counts led jobs. A paused one may wait for hours, which must not delay other sources. */
  #countActive(led: { keys(): Iterable<string> }): number {
    return [...led.keys()].filter((id) => !this.#paused.has(id)).length;
  }

  #lead(job: JobRecord): void {
    this.#jobs.delete(job.id);
    const active = this.#join(job);
    active.isLed = true;
    if (job.trigger === scheduleTrigger) this.#scheduled.add(job.id);
    const leading = this.#leader
      .lead(job, active)
      .catch((error: unknown) =>
        this.#context.logger.error('a job could not be ended', {
          job: job.id,
          error: String(error),
        }),
      )
      .finally(() => {
        active.isLed = false;
        active.abandon();
        this.#leading.delete(job.id);
        this.#scheduled.delete(job.id);
        this.#jobs.delete(job.id);
        this.notify();
      });
    this.#leading.set(job.id, leading);
  }

  #join(job: JobRecord): ActiveJob {
    const known = this.#jobs.get(job.id);
    const active =
      known ?? new ActiveJob(job.id, this.#context, (signal) => this.#open(job, signal));
    active.update(job);
    this.#jobs.set(job.id, active);
    return active;
  }

  async #open(job: JobRecord, signal: AbortSignal): Promise<TaskSource> {
    const record = await this.#context.services.store.sources.get(job.connectorId);
    if (record === null) throw new TroveError('not_found', 'The source was removed');
    const connector = await this.#connectors.open(record);
    return { job, record, connector, sampled: new SampledContent(), signal };
  }

  /** Leaves jobs that ended elsewhere. */
  #forget(running: readonly JobRecord[]): void {
    const alive = new Set(running.map(({ id }) => id));
    for (const [id, job] of this.#jobs) {
      if (alive.has(id) || this.#leading.has(id)) continue;
      job.abandon();
      this.#jobs.delete(id);
    }
  }

  async #beat(): Promise<void> {
    const { store, settings } = this.#context.services;
    await this.#context.attempt('renewing leases', () => this.#renew());
    await this.#context.attempt('looking for dead workers', () =>
      releaseDeadWorkers(store.leases, settings.machineId),
    );
  }

  async #renew(): Promise<void> {
    const { services, name } = this.#context;
    // Taken before the renewal, because jobs claimed during the renewal are not among the renewed leases.
    const led = Array.from(this.#leading.keys(), (id) => [id, this.#jobs.get(id)] as const);
    const held = new Set(await services.store.leases.renew(name, leaseMs));
    for (const [id, job] of led) {
      if (held.has(id) || job === undefined || this.#jobs.get(id) !== job) continue;
      job.isLed = false;
      job.end(failedOutcome({ code: 'internal_error', detail: 'The lease of the job was lost' }));
    }
  }
}

function isPaused({ pausedUntil }: JobRecord): boolean {
  return pausedUntil !== null && pausedUntil > Date.now();
}

/** Starts at another item each time. Without it, a large job would delay the small ones after it. */
function rotate<T>(items: readonly T[], by: number): T[] {
  const at = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}
