import {
  isTroveError,
  TroveError,
  type JobOutcome,
  type JobRecord,
  type Logger,
  type ObjectRecord,
  type Problem,
  type TaskRecord,
  type TaskResult,
} from '@trove/core';
import { abortController, anySignal, Budget, delay } from '@trove/runtime';
import type { Sources } from '../connectors/sources.js';
import { releaseDeadWorkers } from './worker-name.js';
import type { IndexWriter } from './index-writer.js';
import { listSource } from './listing.js';
import type { Maintenance } from './maintenance.js';
import { failureOf, processTask, type ProcessContext, type Processed } from './process-task.js';
import type { TaskSource } from './prepare-object.js';
import {
  cancelled,
  failed,
  listingProblem,
  outcomeOf,
  problemOf,
  tooManyDeaths,
} from './outcome.js';
import { ProviderBreaker } from './provider-breaker.js';
import { reconcile } from './reconcile.js';
import { Wake } from '../jobs/wake.js';

const leaseMs = 60_000;
const heartbeatMs = 10_000;
/** How often the queue is polled for work that other processes added. */
const pollMs = 300;
const claimSize = 64;
const persistPauseMs = 5000;
/** From this many new chunks on, an index may miss some until it is optimized, so the job waits for that. */
const manyChunks = 500;
const jobsAtOnce = 32;
/** How many reasons for leaving objects out a job keeps. */
const reasonsKept = 20;
const MiB = 1024 * 1024;
/** Bytes of source in progress; their rows and vectors take about four times as much. */
const bytesInFlight = 8 * MiB;
/** Minimum cost of an object, including a deletion. */
const objectCost = 4096;
const unknownSize = MiB;

/** A job this worker takes part in. */
interface ActiveJob {
  readonly controller: AbortController;
  readonly source: Promise<TaskSource>;
  readonly breaker: ProviderBreaker;
  /** How the job must end early; null if it need not. */
  stop: JobOutcome | null;
  open: number;
  /** Another worker leads it now. */
  lost: boolean;
}

export interface IngestWorkerOptions {
  /** Unique among all workers that ever lived. */
  readonly name: string;
  readonly context: ProcessContext;
  readonly writer: IndexWriter;
  readonly maintenance: Maintenance;
  readonly sources: Sources;
  readonly logger: Logger;
  readonly machineId: string;
  readonly onJobEnd: () => void;
}

/**
 * Works on the queue: leads the jobs it claims (lists the source, ends the job), and runs tasks of every running job,
 * whoever leads it. Stopping gives back unfinished work.
 */
export class IngestWorker {
  readonly #options: IngestWorkerOptions;
  readonly #controller = abortController();
  readonly #wake = new Wake();
  readonly #budget = new Budget(bytesInFlight);
  readonly #jobs = new Map<string, ActiveJob>();
  readonly #leading = new Map<string, Promise<void>>();
  readonly #tasks = new Set<Promise<void>>();
  /** Tasks in progress that killed workers before. */
  #suspects = 0;
  /** Tasks not handed to the writer yet. */
  #preparing = 0;
  #loop: Promise<void> | null = null;
  #turn = 0;

  constructor(options: IngestWorkerOptions) {
    this.#options = options;
    options.writer.quietWhen = () => this.#preparing === 0;
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** Polls the queue immediately. */
  notify(): void {
    this.#wake.notify();
  }

  /** Stops this worker's share of a job before the next poll would. */
  cancelled(jobId: string): void {
    const job = this.#jobs.get(jobId);
    if (job !== undefined) this.#stopJob(job, cancelled);
  }

  /** Finishes or gives back everything. Idempotent. */
  async stop(): Promise<void> {
    this.#controller.abort(new TroveError('engine_closed', 'The worker is stopping'));
    this.#wake.notify();
    await this.#loop;
    await Promise.allSettled([...this.#leading.values(), ...this.#tasks]);
    if (this.#loop !== null) await this.#options.context.store.releaseWorker(this.#options.name);
  }

  async #run(): Promise<void> {
    const { signal } = this.#controller;
    const heartbeat = setInterval(() => void this.#beat(), heartbeatMs);
    while (!signal.aborted) {
      const { moment } = this.#wake;
      const worked = await this.#guarded('working on the queue', () => this.#step());
      if (worked !== true) await this.#wake.wait(moment, pollMs);
    }
    clearInterval(heartbeat);
  }

  /** Polls the queue once; true when tasks were claimed, so that another poll is worthwhile right away. */
  async #step(): Promise<boolean> {
    const { store } = this.#options.context;
    while (this.#leading.size < jobsAtOnce && !this.#controller.signal.aborted) {
      const job = await store.claimJob(this.#options.name, leaseMs);
      if (job === null) break;
      const problem = await tooManyDeaths(store, job);
      if (problem === null) this.#lead(job);
      else await this.#setAside(job, problem);
    }
    const running = await store.runningJobs();
    this.#forget(running);
    let claimed = 0;
    for (const job of rotate(running, this.#turn++)) {
      const active = this.#join(job);
      if (job.cancelRequested) this.#stopJob(active, cancelled);
      if (active.stop === null && !this.#controller.signal.aborted)
        claimed += await this.#claim(job, active);
    }
    return claimed > 0;
  }

  #join(job: JobRecord): ActiveJob {
    const known = this.#jobs.get(job.id);
    if (known !== undefined) return known;
    const controller = abortController();
    const signal = anySignal(controller.signal, this.#controller.signal);
    const source = this.#open(job, signal);
    source.catch(() => undefined);
    const active: ActiveJob = {
      controller,
      source,
      breaker: new ProviderBreaker(),
      stop: null,
      open: 0,
      lost: false,
    };
    this.#jobs.set(job.id, active);
    return active;
  }

  async #open(job: JobRecord, signal: AbortSignal): Promise<TaskSource> {
    const record = await this.#options.context.store.connector(job.connectorId);
    if (record === null) throw new TroveError('not_found', 'The source was removed');
    return { job, record, connector: await this.#options.sources.open(record), signal };
  }

  /** Leaves jobs that ended elsewhere and drops what is in progress for them. */
  #forget(running: readonly JobRecord[]): void {
    const alive = new Set(running.map(({ id }) => id));
    for (const [id, job] of this.#jobs) {
      if (alive.has(id) || this.#leading.has(id)) continue;
      job.controller.abort(new TroveError('cancelled', 'The job has ended'));
      this.#jobs.delete(id);
    }
  }

  #stopJob(job: ActiveJob, outcome: JobOutcome): void {
    if (job.stop !== null) return;
    job.stop = outcome;
    job.controller.abort(new TroveError('cancelled', 'The job is ending'));
    this.#wake.notify();
  }

  async #claim(job: JobRecord, active: ActiveJob): Promise<number> {
    const { store } = this.#options.context;
    if (this.#suspects > 0) return 0;
    const tasks = await store.claimTasks(job.id, this.#options.name, claimSize, leaseMs);
    if (tasks.length === 0) return 0;
    active.open += tasks.length;
    const suspects = tasks.filter(({ deaths }) => deaths > 0).length;
    this.#suspects += suspects;
    // One of them may kill the process again, so it must run without others.
    const alone = suspects > 0 ? Promise.allSettled(this.#tasks) : Promise.resolve();
    const known = alone.then(() => this.#known(job, tasks));
    known.catch(() => undefined);
    for (const task of tasks) {
      const cost = objectCost + bytesOf(task);
      await this.#budget.acquire(cost);
      const work = this.#work(active, task, known).finally(() => {
        if (task.deaths > 0) this.#suspects--;
        this.#budget.release(cost);
        this.#tasks.delete(work);
        active.open--;
        this.#wake.notify();
      });
      this.#tasks.add(work);
    }
    return tasks.length;
  }

  /** The objects as currently stored, by path. */
  async #known(
    job: JobRecord,
    tasks: readonly TaskRecord[],
  ): Promise<ReadonlyMap<string, ObjectRecord>> {
    const paths = tasks.map(({ path }) => path);
    const known = await this.#options.context.store.objectsByPath(job.connectorId, paths);
    return new Map(known.map((object) => [object.path, object]));
  }

  async #work(
    active: ActiveJob,
    task: TaskRecord,
    known: Promise<ReadonlyMap<string, ObjectRecord>>,
  ): Promise<void> {
    this.#preparing++;
    let processed: Processed;
    try {
      const source = await active.source;
      const before = (await known).get(task.path);
      source.signal.throwIfAborted();
      processed = await processTask(this.#options.context, source, task, before);
    } catch (error) {
      if (isStopped(active) || this.#controller.signal.aborted) return this.#giveBack(active, task);
      if (isOfStorage(error)) return this.#writeFailed(active, task, error);
      processed = { groups: [], result: failureOf(task, error) };
    } finally {
      this.#preparing--;
      this.#options.writer.poke();
    }
    const problem = active.breaker.observe(processed.result);
    // The leader of the job gets the same result; nobody else can end it.
    if (problem !== null && this.#leads(task.jobId)) this.#stopJob(active, failed(problem));
    if (isStopped(active) && active.stop?.status === 'cancelled')
      return this.#giveBack(active, task);
    const error = await this.#options.writer.write(processed.groups, processed.result);
    if (error !== undefined) await this.#writeFailed(active, task, error);
  }

  #leads(jobId: string): boolean {
    return this.#leading.has(jobId);
  }

  /** A lease that keeps being renewed would keep the task from everyone else. */
  async #giveBack(active: ActiveJob, { id: taskId, jobId }: TaskRecord): Promise<void> {
    // Stopping gives everything back, and a job that ends here takes its tasks with it.
    if (this.#controller.signal.aborted || (this.#leads(jobId) && !active.lost)) return;
    await this.#guarded('giving a task back', () =>
      this.#options.context.store.completeTasks(this.#options.name, [
        { taskId, outcome: 'retry', retryAfterMs: 0 },
      ]),
    );
  }

  async #writeFailed(active: ActiveJob, task: TaskRecord, error: unknown): Promise<void> {
    const ofStorage = isOfStorage(error);
    if (ofStorage && this.#leads(task.jobId)) this.#stopJob(active, failed(problemOf(error)));
    const result: TaskResult = ofStorage
      ? { taskId: task.id, outcome: 'retry', retryAfterMs: 1000 }
      : failureOf(task, error);
    await this.#persist('recording a failure', () =>
      this.#options.context.store.completeTasks(this.#options.name, [result]),
    );
  }

  /** Retries essential work until it succeeds: a lease that keeps being renewed would hold the job for ever. */
  async #persist(what: string, work: () => Promise<unknown>): Promise<void> {
    while ((await this.#guarded(what, async () => ({ done: await work() }))) === undefined) {
      if (this.#controller.signal.aborted) return;
      await delay(persistPauseMs, this.#controller.signal);
    }
  }

  #lead(job: JobRecord): void {
    this.#jobs.delete(job.id);
    const active = this.#join(job);
    const leading = this.#leadJob(job, active)
      .catch((error: unknown) =>
        this.#options.logger.error('a job could not be ended', {
          job: job.id,
          error: String(error),
        }),
      )
      .finally(() => {
        this.#leading.delete(job.id);
        this.#jobs.delete(job.id);
        this.#wake.notify();
      });
    this.#leading.set(job.id, leading);
  }

  async #leadJob(job: JobRecord, active: ActiveJob): Promise<void> {
    const { logger, context } = this.#options;
    logger.info('job started', { job: job.id, target: job.target, attempt: job.attempt });
    try {
      const source = await active.source;
      if (!job.listed) {
        const everything = this.#reconcile(job, source.signal);
        everything.catch(() => undefined);
        const held = await listSource(
          {
            store: context.store,
            planner: context.planner,
            worker: this.#options.name,
            signal: source.signal,
            everything,
            onTasks: () => this.#wake.notify(),
          },
          job,
          source,
        );
        if (!held) return;
      }
    } catch (error) {
      if (this.#controller.signal.aborted) return;
      if (active.stop === null) {
        logger.warn('listing a source failed', {
          job: job.id,
          target: job.target,
          error: messageOf(error),
        });
        this.#stopJob(active, failed(listingProblem(error)));
      }
    }
    await this.#drained(job, active);
    if (this.#controller.signal.aborted && active.stop === null) return;
    await this.#finish(job, active);
  }

  /** Fails the job without even looking at its source. */
  async #setAside(job: JobRecord, problem: Problem): Promise<void> {
    const { logger, context, name, onJobEnd } = this.#options;
    logger.error('a job is set aside', { job: job.id, target: job.target, reason: problem.detail });
    await this.#persist('setting a job aside', () =>
      context.store.finishJob(job.id, name, failed(problem)),
    );
    onJobEnd();
  }

  /** Only before the first listing is it certain that nobody works on the source. */
  async #reconcile(job: JobRecord, signal: AbortSignal): Promise<boolean> {
    if (job.attempt > 1) return false;
    const { context, logger } = this.#options;
    return reconcile({ ...context, logger, signal }, job.connectorId);
  }

  /** Waits until no task of the job is open, here or elsewhere, or the job must stop. */
  async #drained(job: JobRecord, active: ActiveJob): Promise<void> {
    const { store } = this.#options.context;
    const { signal } = this.#controller;
    while (!signal.aborted) {
      const { moment } = this.#wake;
      if (active.open === 0) {
        if (active.stop !== null) return;
        const open = await this.#guarded('counting tasks', () => store.openTasks(job.id));
        if (open === 0) return;
      }
      await this.#wake.wait(moment, pollMs);
    }
  }

  async #finish(job: JobRecord, active: ActiveJob): Promise<void> {
    const { store } = this.#options.context;
    await this.#persist('ending a job', async () => {
      const now = await store.job(job.id);
      if (now === null) return;
      if (now.chunks >= manyChunks) await this.#optimize();
      const leftOutReasons =
        now.leftOut === 0 ? [] : await store.leftOut(job.connectorId, reasonsKept);
      const outcome = { ...(active.stop ?? outcomeOf(now)), leftOutReasons };
      const held = await store.finishJob(job.id, this.#options.name, outcome);
      this.#options.onJobEnd();
      const status = held ? outcome.status : 'taken over';
      this.#options.logger.info('job ended', { job: job.id, target: job.target, status });
      if (now.chunks < manyChunks && now.added + now.changed + now.removed > 0)
        void this.#optimize();
    });
  }

  async #optimize(): Promise<void> {
    await this.#guarded('optimizing the index', () => this.#options.maintenance.run());
  }

  async #beat(): Promise<void> {
    const { context, machineId } = this.#options;
    await this.#guarded('renewing leases', () => this.#renew());
    await this.#guarded('looking for dead workers', () =>
      releaseDeadWorkers(context.store, machineId),
    );
  }

  async #renew(): Promise<void> {
    const held = new Set(
      await this.#options.context.store.renewLeases(this.#options.name, leaseMs),
    );
    for (const id of this.#leading.keys()) {
      const job = this.#jobs.get(id);
      if (held.has(id) || job === undefined) continue;
      job.lost = true;
      this.#stopJob(
        job,
        failed({ code: 'internal_error', detail: 'The lease of the job was lost' }),
      );
    }
  }

  async #guarded<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!this.#controller.signal.aborted) {
        this.#options.logger.error(`${what} failed`, { error: messageOf(error) });
      }
      return undefined;
    }
  }
}

/** Approximate number of bytes read at once for an object. */
function bytesOf({ op, entry }: TaskRecord): number {
  return op === 'delete' ? 0 : Math.min(entry?.size ?? unknownSize, bytesInFlight);
}

function isStopped(active: ActiveJob): boolean {
  return active.controller.signal.aborted;
}

function isOfStorage(error: unknown): error is TroveError {
  return isTroveError(error) && error.code === 'storage_unavailable';
}

/** The same jobs, starting with a different one each time, so that a large job does not hold up small ones. */
function rotate<T>(items: readonly T[], by: number): T[] {
  const at = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
