import { inject, injectable, createToken, LoggerToken, MetadataStoreToken } from '@trove/core/di';
import { isTroveError, messageOf, type Logger } from '@trove/core';
import type { ConnectorRecord, MetadataStore } from '@trove/core/store';
import { createAbortController, delay } from '@trove/runtime';
import { ProblemLog } from '../../generations/maintenance/problem-log.js';
import { SyncJobsToken, type SyncJobs } from '../../generations/scheduling/sync-jobs.js';
import { scheduleTrigger } from './schedule-trigger.js';
import { scheduleOf } from '../../sources/schedules/sync-settings.js';

const checkIntervalMs = 2000;

/** The token of `ScheduledSources` in an engine's container. */
export const ScheduledSourcesToken = createToken<ScheduledSources>('engine.scheduled_sources');

/** Queues the syncs of sources with a schedule, in a process that works on jobs. */
@injectable()
export class ScheduledSources {
  readonly #sources: Pick<MetadataStore['sources'], 'list' | 'planSync'>;
  readonly #jobs: Pick<SyncJobs, 'queue'>;
  readonly #controller = createAbortController();
  readonly #problem: ProblemLog;
  #loop: Promise<void> | null = null;

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
        this.#problem.update(await this.queueDue(Date.now()));
      } catch (error) {
        if (!signal.aborted) this.#problem.update(messageOf(error));
      }
      await delay(checkIntervalMs, signal);
    }
  }

  /** Queues all syncs that are due. Returns the problem of a source that cannot be synced, or null. */
  async queueDue(now: number): Promise<string | null> {
    let problem: string | null = null;
    for (const record of await this.#sources.list()) {
      if (this.#controller.signal.aborted) break;
      try {
        await this.#queueIfDue(record, now);
      } catch (error) {
        problem ??= `${record.rootUri}: ${messageOf(error)}`;
      }
    }
    return problem;
  }

  async #queueIfDue(record: ConnectorRecord, now: number): Promise<void> {
    const { id, nextSyncAt, status } = record;
    // A sync in progress may have listed objects before they changed, so the due one follows it.
    if (nextSyncAt !== null && (nextSyncAt > now || status === 'syncing')) return;
    const schedule = scheduleOf(record);
    if (schedule === null) return;
    if (nextSyncAt === null) return this.#sources.planSync(id, schedule.first(id, now));
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
