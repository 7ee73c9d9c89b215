import { isStorageError } from '@trove/core';
import type { JobRecord, ObjectRecord, TaskRecord, TaskResult } from '@trove/core/store';
import { Budget } from '@trove/runtime';
import type { ActiveJob } from '../worker/active-job.js';
import { assumedBytes } from '../../content/read-budget.js';
import { failedOutcome, problemOf } from './job-outcome.js';
import type { RecordSink } from './index-writer.js';
import { processTask } from './process-task.js';
import { failureOf, type ProcessedTask } from './task-results.js';
import type { WorkerContext } from '../worker/worker-context.js';

/** The sizes of claims by the number of deaths: none, one, more. Smaller claims affect fewer innocent tasks. */
const claimSizes = [64, 8, 1];
const MiB = 1024 * 1024;
/** Limits the source bytes in progress. Their rows and vectors take about four times as much memory. */
const maxBytesInFlight = 8 * MiB;
/** The minimum cost of a task, including a deletion. */
const minObjectCost = 4096;

/** The part of the budget that a task holds. */
interface BudgetShare {
  cost: number;
}

/** Runs tasks of all jobs, as many at once as the memory budget allows. */
export class TaskRunner {
  readonly #worker: WorkerContext;
  readonly #leaseMs: number;
  readonly #budget = new Budget(maxBytesInFlight);
  readonly #tasks = new Set<Promise<void>>();
  /** Claims whose tasks still wait for the budget. Each resolves with its running tasks after the last has started. */
  readonly #starting = new Set<Promise<readonly Promise<void>[]>>();
  /** The number of running tasks that killed workers before. */
  #suspects = 0;

  constructor(worker: WorkerContext, leaseMs: number) {
    this.#worker = worker;
    this.#leaseMs = leaseMs;
  }

  /**
   * Claims tasks of a job and starts them as the budget allows. Jobs take turns. Returns the number of claimed tasks. It is
   * 0 until all earlier tasks of this job have started.
   */
  async claim(job: JobRecord, active: ActiveJob): Promise<number> {
    if (this.#suspects > 0 || active.isStarting) return 0;
    // The listing itself may have killed workers. No tasks run before it has ended.
    if (job.deaths > 0 && !job.listed) return 0;
    const { services, name } = this.#worker;
    const tasks = await services.store.tasks.claim(job.id, name, claimSizes, this.#leaseMs);
    if (tasks.length === 0) return 0;
    active.open += tasks.length;
    const suspects = tasks.filter(({ deaths }) => deaths > 0).length;
    this.#suspects += suspects;
    // One of them may kill the process again, so it must run without others.
    const alone = suspects > 0 ? this.idle() : Promise.resolve();
    const known = alone.then(() => this.#known(job, tasks));
    known.catch(() => undefined);
    active.isStarting = true;
    const starting = this.#start(active, tasks, alone, known).finally(() => {
      active.isStarting = false;
      this.#starting.delete(starting);
      this.#worker.wake.notify();
    });
    this.#starting.add(starting);
    return tasks.length;
  }

  /** Resolves when all tasks claimed before this call have ended. */
  async idle(): Promise<void> {
    const started = Array.from(this.#starting, async (tasks) => Promise.allSettled(await tasks));
    await Promise.allSettled([...this.#tasks, ...started]);
  }

  async #start(
    active: ActiveJob,
    tasks: readonly TaskRecord[],
    alone: Promise<void>,
    known: Promise<ReadonlyMap<string, ObjectRecord>>,
  ): Promise<readonly Promise<void>[]> {
    await alone;
    const started: Promise<void>[] = [];
    for (const task of tasks) {
      const share = { cost: minObjectCost + bytesOf(task) };
      await this.#budget.acquire(share.cost);
      const work = this.#run(active, task, known, share).finally(() => {
        if (task.deaths > 0) this.#suspects--;
        this.#budget.release(share.cost);
        this.#tasks.delete(work);
        active.open--;
        if (active.open === 0) this.#worker.wake.notify();
      });
      this.#tasks.add(work);
      started.push(work);
    }
    return started;
  }

  #writerOf(active: ActiveJob): RecordSink {
    const { writer } = this.#worker;
    const runWaiting = async <T>(work: () => Promise<T>): Promise<T> => {
      active.preparing--;
      writer.startIfReady();
      try {
        return await work();
      } finally {
        active.preparing++;
      }
    };
    return {
      write: (groups, records) => writer.writeRecords(active, groups, records),
      runWaiting,
    };
  }

  /** The objects as currently stored, by path. */
  async #known(
    job: JobRecord,
    tasks: readonly TaskRecord[],
  ): Promise<ReadonlyMap<string, ObjectRecord>> {
    const paths = tasks.map(({ path }) => path);
    const { store, trainedEmbedder } = this.#worker.services;
    // The process that added these tasks may have trained the embedder first.
    await trainedEmbedder.current();
    const known = await store.objects.findByPath(job.connectorId, paths);
    return new Map(known.map((object) => [object.path, object]));
  }

  async #run(
    active: ActiveJob,
    task: TaskRecord,
    known: Promise<ReadonlyMap<string, ObjectRecord>>,
    share: BudgetShare,
  ): Promise<void> {
    const { services, name, writer, signal } = this.#worker;
    active.preparing++;
    let processed: ProcessedTask;
    try {
      const source = await active.source;
      const before = (await known).get(task.path);
      source.signal.throwIfAborted();
      const context = {
        ...services,
        worker: name,
        pool: services.pool.of(active.id),
        writer: this.#writerOf(active),
      };
      processed = await processTask(context, source, task, before);
    } catch (error) {
      if (active.isStopped || signal.aborted) return this.#giveBack(active, task);
      if (isStorageError(error)) return this.#writeFailed(active, task, error);
      processed = { groups: [], result: failureOf(task, error) };
    } finally {
      active.preparing--;
      writer.startIfReady();
    }
    this.#reduce(share, minObjectCost + charsOf(processed));
    const { pauseMs } = processed;
    if (pauseMs !== undefined)
      await this.#worker.attempt('pausing a job', () =>
        services.store.jobs.pause(task.jobId, pauseMs),
      );
    const problem = active.breaker.observe(processed.result, processed.errorCode);
    // Only the leader can end the job. It sees the same results.
    if (problem !== null && active.isLed) active.end(failedOutcome(problem));
    if (active.ending?.status === 'cancelled') return this.#giveBack(active, task);
    const error = await writer.write(active, processed.groups, processed.result);
    if (error !== undefined) await this.#writeFailed(active, task, error);
    else if (processed.result.outcome !== 'retry')
      await this.#worker.attempt('deleting the file of a task', () =>
        services.taskFiles.remove(task),
      );
  }

  /**
   * Releases what a task does not need after its object is read. Most objects of unknown size are small, and many must fit
   * into one commit.
   */
  #reduce(share: BudgetShare, cost: number): void {
    if (cost >= share.cost) return;
    this.#budget.release(share.cost - cost);
    share.cost = cost;
  }

  /** Gives a task back. Otherwise its renewed lease would keep it from other workers. */
  async #giveBack({ isLed }: ActiveJob, { id: taskId }: TaskRecord): Promise<void> {
    const { signal, services, name } = this.#worker;
    // A stopping worker gives back all its work, and the end of a job also ends its tasks.
    if (signal.aborted || isLed) return;
    await this.#worker.attempt('giving a task back', () =>
      services.store.tasks.complete(name, [{ taskId, outcome: 'retry', retryAfterMs: 0 }]),
    );
  }

  async #writeFailed(active: ActiveJob, task: TaskRecord, error: unknown): Promise<void> {
    const ofStorage = isStorageError(error);
    if (ofStorage && active.isLed) active.end(failedOutcome(problemOf(error)));
    const result: TaskResult = ofStorage
      ? { taskId: task.id, outcome: 'retry', retryAfterMs: 1000 }
      : failureOf(task, error);
    const { services, name } = this.#worker;
    await this.#worker.retry.untilDone('recording a failure', () =>
      services.store.tasks.complete(name, [result]),
    );
  }
}

/** Approximate number of bytes read at once for an object. */
function bytesOf({ op, entry }: TaskRecord): number {
  return op === 'delete' ? 0 : Math.min(entry?.size ?? assumedBytes, maxBytesInFlight);
}

function charsOf({ groups }: ProcessedTask): number {
  return groups.flatMap(({ rows }) => rows).reduce((sum, { content }) => sum + content.length, 0);
}
