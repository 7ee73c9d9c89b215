import { inject, injectable, createToken, MetadataStoreToken } from '@trove/core/di';
import { randomUUID } from 'node:crypto';
import { isTroveError, TroveError, type Infer } from '@trove/core';
import type { JobRecord, JobQueue, MetadataStore } from '@trove/core/store';
import { rejectOnAbort } from '@trove/runtime';
import { DiskSpaceToken, type DiskSpaceService } from '../../generations/maintenance/disk-space.js';
import { ConnectorsToken, type Connectors } from '../../sources/connectors/connectors.js';
import type { VisiblePaths } from '../../sources/visibility/visible-paths.js';
import { StoppingToken } from '../../tokens.js';
import { type jobsQuerySchema, type CancelResponse, type JobResponse } from '../../api/schemas.js';
import type { Notifier } from '../../generations/scheduling/notifier.js';
import type { SyncJobs, SyncOptions } from '../../generations/scheduling/sync-jobs.js';
import { maxFailures, toJobResponse } from './job-view.js';

/** A job of another process is polled after an eighth of its running time so far, within these limits. */
const minPollMs = 50;
const maxPollMs = 200;
const finalStatuses = new Set(['succeeded', 'partial', 'failed', 'cancelled']);

/** The token of `LocalWorker` in an engine's container. */
export const LocalWorkerToken = createToken<LocalWorker>('engine.worker');

/** The worker of this process, as the job service uses it. */
export interface LocalWorker {
  /** Signals that there may be new work. */
  notify(): void;
  cancel(jobId: string): void;
  /** Notified whenever this worker has ended a job. */
  readonly jobEnded: Notifier;
  /** Runs the worker until the promise settles, even if no worker was started. */
  workUntil<T>(work: Promise<T>): Promise<T>;
}

/** The token of `JobService` in an engine's container. */
export const JobsToken = createToken<JobService>('engine.job');

/** Queues, lists, cancels and awaits jobs. */
@injectable()
export class JobService implements SyncJobs {
  readonly #jobs: JobQueue;
  readonly #connectors: Connectors;
  readonly #worker: LocalWorker;
  readonly #diskSpace: Pick<DiskSpaceService, 'problem'>;
  readonly #signal: AbortSignal;

  constructor(
    @inject(MetadataStoreToken) store: Pick<MetadataStore, 'jobs'>,
    @inject(ConnectorsToken) connectors: Connectors,
    @inject(LocalWorkerToken) worker: LocalWorker,
    @inject(DiskSpaceToken) diskSpace: Pick<DiskSpaceService, 'problem'>,
    @inject(StoppingToken) signal: AbortSignal,
  ) {
    this.#jobs = store.jobs;
    this.#connectors = connectors;
    this.#worker = worker;
    this.#diskSpace = diskSpace;
    this.#signal = signal;
  }

  async queue(connectorId: string, options: SyncOptions): Promise<JobRecord> {
    const job = await this.#jobs.create({
      id: randomUUID(),
      connectorId,
      opKind: 'sync',
      trigger: 'manual',
      ...options,
    });
    this.#worker.notify();
    return job;
  }

  /** `visible`: the caller sees only jobs of sources in these paths. Null: all. */
  async list(
    query: Infer<typeof jobsQuerySchema>,
    visible: VisiblePaths | null = null,
  ): Promise<JobResponse[]> {
    const { limit, offset, status, target } = query;
    const jobs = await this.#jobs.list({
      limit,
      offset,
      ...(status === undefined ? {} : { status }),
      ...(visible === null ? {} : { within: visible.uris }),
      ...(target === undefined
        ? {}
        : { target: await this.#connectors.canonicalUri(target, 'target') }),
    });
    return Promise.all(jobs.map((job) => this.#view(job, visible)));
  }

  async get(id: string, visible: VisiblePaths | null = null): Promise<JobResponse> {
    return this.#view(await this.#job(id, visible), visible);
  }

  async cancel(id: string, visible: VisiblePaths | null = null): Promise<CancelResponse> {
    const before = await this.#job(id, visible);
    if (finalStatuses.has(before.status)) return { job_id: id, cancelled: false };
    const updated = await this.#jobs.cancel(id);
    this.#worker.cancel(id);
    this.#worker.notify();
    // The job may have ended in the meantime.
    const isStopping = updated?.status === 'running' && updated.cancelRequested;
    return { job_id: id, cancelled: isStopping || updated?.status === 'cancelled' };
  }

  /** Resolves when the job has ended. */
  async wait(
    id: string,
    signal: AbortSignal,
    visible: VisiblePaths | null = null,
  ): Promise<JobResponse> {
    const started = performance.now();
    for (;;) {
      const { version } = this.#worker.jobEnded;
      const job = await this.#job(id, visible);
      if (finalStatuses.has(job.status)) return this.#view(job, visible);
      const share = (performance.now() - started) / 8;
      const poll = Math.min(maxPollMs, Math.max(minPollMs, share));
      await this.#worker.jobEnded.wait(version, poll, signal);
      signal.throwIfAborted();
    }
  }

  runToEnd(id: string): Promise<JobResponse> {
    return this.#worker.workUntil(this.wait(id, this.#signal));
  }

  async process(id: string, signal: AbortSignal): Promise<void> {
    const ended = this.runToEnd(id);
    ended.catch(() => undefined);
    try {
      await rejectOnAbort(ended, signal);
    } catch (error) {
      if (!signal.aborted || !isTroveError(error) || error.code !== 'timed_out') throw error;
      throw new TroveError('timed_out', `${error.detail}; the job ${id} continues`, {
        suggestions: ['Poll the job until it ends, or add the source without `process`.'],
        jobId: id,
      });
    }
  }

  async #job(id: string, visible: VisiblePaths | null): Promise<JobRecord> {
    const job = await this.#jobs.get(id);
    if (job === null || visible?.contains(job.target) === false) {
      throw new TroveError('not_found', 'There is no such job', {
        suggestions: ['List the jobs. Old jobs are deleted.'],
      });
    }
    return job;
  }

  /** Free space depends on hidden sources, too. */
  async #view(job: JobRecord, visible: VisiblePaths | null): Promise<JobResponse> {
    const isWhole = job.failed === 0 && job.status !== 'partial';
    const failures = isWhole ? [] : await this.#jobs.failures(job.id, maxFailures);
    const warning = finalStatuses.has(job.status) ? null : await this.#diskSpace.problem();
    const hidden = warning && { ...warning, detail: 'The server has little disk space' };
    return toJobResponse(job, failures, visible === null ? warning : hidden);
  }
}
