import { inject, injectable, createToken, LoggerToken, MetadataStoreToken } from '@trove/core/di';
import { isTroveError, messageOf, type Logger } from '@trove/core';
import type { ConnectorRecord, MetadataStore } from '@trove/core/store';
import { createAbortController, delay } from '@trove/runtime';
import { ProblemLog } from '../../generations/maintenance/problem-log.js';
import { SyncJobsToken, type SyncJobs } from '../../generations/scheduling/sync-jobs.js';
import { scheduleTrigger } from './schedule-trigger.js';
import { scheduleOf } from '../../sources/schedules/sync-settings.js';

const checkIntervalMs = 2000;
/** How often sources without a planned sync are looked for. A process that was killed may leave such sources. */
const planIntervalMs = 60_000;

/** The token of `ScheduledSources` in an engine's container. */
export const ScheduledSourcesToken = createToken<ScheduledSources>('engine.scheduled_sources');

/** Queues the syncs of sources with a schedule, in a process that works on jobs. */
@injectable()
export class ScheduledSources {
  readonly #sources: Pick<MetadataStore['sources'], 'list' | 'listDue' | 'planSync'>;
  readonly #jobs: Pick<SyncJobs, 'queue'>;
  readonly #controller = createAbortController();
  readonly #problem: ProblemLog;
  #loop: Promise<void> | null = null;
  #plannedAt = Number.NEGATIVE_INFINITY;
  #planProblem: string | null = null;

  constructor(
    @inject(MetadataStoreToken) store: Pick<MetadataStore, 'sources'>,
    @inject(SyncJobsToken) jobs: Pick<SyncJobs, 'queue'>,
    @inject(LoggerToken) logger: Logger,
  ) {
    this.#sources = store.sources;
    this.#jobs = jobs;
    this.#problem = new ProblemLog(logger, {
      started: 'sources on a schedule cannot be synced',
      ended: 'sources on a schedule are synced again',
    });
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#controller.abort();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { signal } = this.#controller;
    while (!signal.aborted) {
      try {
        this.#problem.update(await this.#check(Date.now()));
      } catch (error) {
        if (!signal.aborted) this.#problem.update(messageOf(error));
      }
      await delay(checkIntervalMs, signal);
    }
  }

  async #check(now: number): Promise<string | null> {
    if (performance.now() - this.#plannedAt >= planIntervalMs) {
      this.#planProblem = await this.planMissing(now);
      this.#plannedAt = performance.now();
    }
    return (await this.queueDue(now)) ?? this.#planProblem;
  }

  /** Plans the next sync of sources without one. Returns the problem of a source, or null. */
  async planMissing(now: number): Promise<string | null> {
    const records = await this.#sources.list();
    return this.#each(
      records.filter(({ nextSyncAt }) => nextSyncAt === null),
      async (record) => {
        const schedule = scheduleOf(record);
        if (schedule !== null)
          await this.#sources.planSync(record.id, schedule.first(record.id, now));
      },
    );
  }

  /** Queues all syncs that are due. Returns the problem of a source that cannot be synced, or null. */
  async queueDue(now: number): Promise<string | null> {
    const records = await this.#sources.listDue(now);
    // A sync in progress may have listed objects before they changed, so the due one follows it.
    const idle = records.filter(({ status }) => status !== 'syncing');
    return this.#each(idle, (record) => this.#queue(record, now));
  }

  /** Returns the first problem, or null. */
  async #each(
    records: readonly ConnectorRecord[],
    work: (record: ConnectorRecord) => Promise<void>,
  ): Promise<string | null> {
    let problem: string | null = null;
    for (const record of records) {
      if (this.#controller.signal.aborted) break;
      try {
        await work(record);
      } catch (error) {
        problem ??= `${record.rootUri}: ${messageOf(error)}`;
      }
    }
    return problem;
  }

  async #queue(record: ConnectorRecord, now: number): Promise<void> {
    const { id, nextSyncAt } = record;
    const schedule = scheduleOf(record);
    if (schedule === null || nextSyncAt === null) return;
    const due = { at: nextSyncAt, next: schedule.next(id, now) };
    try {
      await this.#jobs.queue(id, { full: false, since: null, trigger: scheduleTrigger, due });
    } catch (error) {
      if (!isOutdated(error)) throw error;
    }
  }
}

/** Whether another process queued the sync, or the source was removed. */
function isOutdated(error: unknown): boolean {
  const codes = ['sync_already_running', 'connector_removing', 'not_found'];
  return isTroveError(error) && codes.includes(error.code);
}
