import { isStorageError } from '@trove/core';
import type {
  JobOutcome,
  JobRecord,
  LeftOut,
  NewTask,
  Problem,
  SummaryCatalog,
} from '@trove/core/store';
import type { ActiveJob } from './active-job.js';
import type { RecordSink } from '../tasks/index-writer.js';
import { isPromotable } from '../../generations/selection/promotion.js';
import { isLarge } from '../../generations/scheduling/large-jobs.js';
import { train, shouldTrain } from '../training/training.js';
import { TaskIntake } from '../training/task-intake.js';
import { listSource } from '../listing/listing.js';
import {
  failedOutcome,
  listingProblem,
  outcomeOf,
  problemOf,
  withSummaries,
} from '../tasks/job-outcome.js';
import type { TaskSource } from '../tasks/prepare-object.js';
import { invalidateRenamedFile, moveRows } from '../moves/move-rows.js';
import { reconcile } from './reconcile.js';
import { applyChanges } from '../records/apply-changes.js';
import { ReportedNumbers } from '../records/reported-numbers.js';
import { mergeReports } from '../records/reported-records.js';
import { summarize } from '../summaries/summarize.js';
import { LeaseLostError } from '../summaries/summary-writer.js';
import type { SummaryOutcome } from '../summaries/tally.js';
import type { WorkerContext } from './worker-context.js';

/** Maximum number of reasons for left-out objects, and of warnings, that a job keeps. */
const maxReasons = 20;

/** Leads jobs: lists the source, waits for its tasks, and ends the job. */
export class JobLeader {
  readonly #worker: WorkerContext;
  readonly #pollMs: number;
  readonly #onEnd: () => void;

  /** `onEnd`: called whenever a job has ended. */
  constructor(worker: WorkerContext, pollMs: number, onEnd: () => void) {
    this.#worker = worker;
    this.#pollMs = pollMs;
    this.#onEnd = onEnd;
  }

  /** Resolves when the job has ended, another worker leads it, or this worker stops. */
  async lead(job: JobRecord, active: ActiveJob): Promise<void> {
    const { logger, signal } = this.#worker;
    logger.info('job started', { job: job.id, target: job.target, attempt: job.attempt });
    let source: TaskSource | null = null;
    try {
      source = await active.source;
      if (!job.listed && !(await this.#list(job, active, source))) return;
    } catch (error) {
      if (signal.aborted) return;
      if (active.ending === null) {
        const problem = listingProblem(error);
        logger.warn('listing a source failed', {
          job: job.id,
          target: job.target,
          error: problem.detail,
        });
        // The listed objects are indexed despite the failure.
        if (source === null || isStorageError(error)) active.end(failedOutcome(problem));
        else await this.#endListing(job, problem);
      }
    }
    await this.#waitForTasks(job, active);
    if (signal.aborted && active.ending === null) return;
    const summaries =
      active.ending === null && source !== null ? await this.#summarize(job, source) : null;
    if (signal.aborted && active.ending === null) return;
    await this.#end(job, active.ending, summaries);
  }

  /** Fails the job without reading its source. */
  async setAside(job: JobRecord, problem: Problem): Promise<void> {
    const { logger, services, name } = this.#worker;
    logger.error('a job is set aside', { job: job.id, target: job.target, reason: problem.detail });
    await this.#worker.retry.untilDone('setting a job aside', () =>
      services.store.jobs.finish(job.id, name, failedOutcome(problem)),
    );
    this.#onEnd();
  }

  /** Returns false when the lease was lost. */
  async #list(job: JobRecord, active: ActiveJob, source: TaskSource): Promise<boolean> {
    const { services, name, wake, writer } = this.#worker;
    const sink: RecordSink = {
      write: (groups, records) => writer.writeRecords(active, groups, records),
      runWaiting: (work) => work(),
    };
    await this.#moveRows(source);
    const mustListAll = this.#reconcile(job, source.signal);
    mustListAll.catch(() => undefined);
    await services.trainedEmbedder.current();
    const reported = new ReportedNumbers();
    const isLeaseHeld = await listSource(
      {
        store: services.store,
        planner: services.planner,
        worker: name,
        signal: source.signal,
        mustListAll,
        intake: await this.#intake(job, source),
        changeRecords: async (object, { changes, interval }) => {
          const { connector, signal } = source;
          const content = await services.contents.open(connector, object.entry, 'ingest', signal);
          if (content.form !== 'records') return 'whole';
          const context = { ...services, pool: services.pool.of(job.id), writer: sink };
          const report = mergeReports(changes);
          return applyChanges(context, source, object, content, report, reported.of(interval));
        },
      },
      job,
      source,
    );
    wake.notify();
    return isLeaseHeld;
  }

  /** Runs before the listing, while no task of the source writes rows. */
  async #moveRows({ record, signal }: TaskSource): Promise<void> {
    if (record.movedFrom.length === 0) return;
    const { collection, store } = this.#worker.services;
    await moveRows(collection, record, signal);
    await invalidateRenamedFile(store.objects, record);
    await store.sources.endMove(record);
  }

  async #intake(job: JobRecord, source: TaskSource): Promise<TaskIntake> {
    const { services, name, wake, logger } = this.#worker;
    const add = async (tasks: readonly NewTask[]): Promise<boolean> => {
      const held = await services.store.listings.addTasks(job.id, name, tasks);
      if (held) wake.notify();
      return held;
    };
    const trainFirst = (await shouldTrain(services, job))
      ? (tasks: readonly NewTask[]) => train({ ...services, logger }, source, tasks)
      : null;
    return new TaskIntake({ add, train: trainFirst });
  }

  /** Releases moves, which wait for the end of a listing. Stores the problem for the end of the job. */
  async #endListing(job: JobRecord, problem: Problem): Promise<void> {
    const { services, name } = this.#worker;
    await this.#worker.retry.untilDone('ending a listing', () =>
      services.store.listings.finish(job.id, name, { complete: false, problem }),
    );
  }

  /** Runs only in the first attempt. Later, other workers may work on the source. */
  async #reconcile(job: JobRecord, signal: AbortSignal): Promise<boolean> {
    if (job.attempt > 1) return false;
    const { services, logger } = this.#worker;
    return reconcile({ ...services, logger, worker: this.#worker.name, signal }, job);
  }

  /** Waits until no task of the job is open, here or elsewhere, or the job must stop. */
  async #waitForTasks(job: JobRecord, active: ActiveJob): Promise<void> {
    const { services, signal, wake } = this.#worker;
    while (!signal.aborted) {
      const { version } = wake;
      if (active.open === 0) {
        if (active.ending !== null) return;
        const open = await this.#worker.attempt('counting tasks', () =>
          services.store.tasks.countOpen(job.id),
        );
        if (open === 0) return;
      }
      await wake.wait(version, this.#pollMs);
    }
  }

  /** Writes summaries after all objects are searchable. Null if there are none to write. */
  async #summarize(
    { id, connectorId }: JobRecord,
    source: TaskSource,
  ): Promise<SummaryOutcome | null> {
    const { services, name, logger } = this.#worker;
    const { store, llm } = services;
    try {
      if (llm === null && !(await hasSummaries(store.summaries, connectorId))) return null;
      const job = await store.jobs.get(id);
      if (job === null) return null;
      if (isLarge({ ...job, summaries: 0 })) await this.#optimize(id);
      return await summarize(services, source, job, name);
    } catch (error) {
      if (source.signal.aborted || error instanceof LeaseLostError) return null;
      const { code, detail } = problemOf(error);
      logger.warn('writing summaries failed', { job: id, error: detail });
      const warnings = [`Summaries are left for the next sync: ${detail}`];
      return { missing: 0, failures: [{ path: '', code, error: detail }], warnings };
    }
  }

  /** `early`: the outcome of a job that was ended early. */
  async #end(
    job: JobRecord,
    early: JobOutcome | null,
    summaries: SummaryOutcome | null,
  ): Promise<void> {
    const { services, name, logger } = this.#worker;
    const { store } = services;
    await this.#worker.retry.untilDone('ending a job', async () => {
      const now = await store.jobs.get(job.id);
      if (now === null) return;
      // Before this call, searches may leave out rows of a large job.
      if (isLarge(now)) {
        // The index is built in a process of its own, which needs their memory.
        services.pool.endIdleThreads();
        await this.#optimize(job.id);
      }
      const leftOutReasons =
        now.leftOut === 0 ? [] : await store.objects.leftOut(job.connectorId, maxReasons);
      const ended = early ?? withSummaries(outcomeOf(now), summaries);
      const objectWarnings =
        now.added + now.changed === 0
          ? []
          : await store.objects.warnings(job.connectorId, maxReasons);
      const warnings = [...(ended.warnings ?? []), ...objectWarnings.map(warningOf)];
      const isComplete = await isPromotable(services, now, ended);
      const outcome = { ...ended, leftOutReasons, warnings, isComplete };
      const held = await store.jobs.finish(job.id, name, outcome);
      if (held)
        await this.#worker.attempt('deleting the files of a job', () =>
          services.taskFiles.removeJob(job.id),
        );
      services.generations.invalidate();
      services.largeJobs.invalidate();
      this.#onEnd();
      const status = held ? outcome.status : 'taken over';
      logger.info('job ended', { job: job.id, target: job.target, status });
      if (!isLarge(now) && now.added + now.changed + now.removed + now.summaries > 0)
        void this.#optimize(job.id);
    });
  }

  /** Called after the job has written everything. */
  async #optimize(jobId: string): Promise<void> {
    const { collection, largeJobs } = this.#worker.services;
    await this.#worker.attempt('optimizing the index', async () => {
      const loading = (await largeJobs.running()).filter((id) => id !== jobId);
      await collection.optimize({ loading });
    });
  }
}

function warningOf({ path, objects, reason }: LeftOut): string {
  const more = objects === 1 ? '' : ` and ${objects - 1} more`;
  return `${path}${more}: ${reason}`;
}

async function hasSummaries(summaries: SummaryCatalog, connectorId: string): Promise<boolean> {
  const some = await summaries.list(connectorId, { after: null, limit: 1 });
  return some.length > 0;
}
