import { MetadataStoreToken, inject, injectable } from '@trove/core/di';
import { InProcessWorkerToken, SettingsToken, SignalToken, SourcesToken } from '../di/tokens.js';
import { randomUUID } from 'node:crypto';
import {
  isTroveError,
  TroveError,
  type ConnectorRecord,
  type Infer,
  type JobRecord,
  type MetadataStore,
  type NewJob,
} from '@trove/core';
import { beforeAbort } from '@trove/runtime';
import {
  type addRequestSchema,
  type jobsQuerySchema,
  type AddResponse,
  type CancelResponse,
  type JobResponse,
} from '../api/schemas.js';
import { connectorId, digest } from '../ids.js';
import type { EngineSettings } from '../settings.js';
import type { Wake } from './wake.js';
import type { GuardedConnector } from '../connectors/guarded-connector.js';
import type { Sources, Target } from '../connectors/sources.js';
import { failuresShown, jobView } from './job-view.js';

/** A job run by another process is polled after an eighth of its running time so far, within these bounds. */
const shortestPollMs = 50;
const longestPollMs = 200;
const finished = new Set(['succeeded', 'partial', 'failed', 'cancelled']);

/** What the service needs from the worker in this process. */
export interface LocalWorker {
  /** Signals that there may be new work. */
  notify(): void;
  cancelled(jobId: string): void;
  /** Notified whenever the worker has ended a job. */
  readonly ended: Wake;
  /** Works until the promise settles, even if no worker was started. */
  during<T>(work: Promise<T>): Promise<T>;
}

interface Asked {
  readonly since: string | null;
  readonly signal: AbortSignal;
}

/** Registers sources and keeps the queue: add, list, cancel, wait. */
@injectable()
export class JobService {
  readonly #store: MetadataStore;
  readonly #sources: Sources;
  readonly #settings: EngineSettings;
  readonly #worker: LocalWorker;
  readonly #signal: AbortSignal;

  constructor(
    @inject(MetadataStoreToken) store: MetadataStore,
    @inject(SourcesToken) sources: Sources,
    @inject(SettingsToken) settings: EngineSettings,
    @inject(InProcessWorkerToken) worker: LocalWorker,
    @inject(SignalToken) signal: AbortSignal,
  ) {
    this.#store = store;
    this.#sources = sources;
    this.#settings = settings;
    this.#worker = worker;
    this.#signal = signal;
  }

  async add(request: Infer<typeof addRequestSchema>, signal: AbortSignal): Promise<AddResponse> {
    const { target: text, config, full, since, process, update } = request;
    const target = await this.#sources.target(text);
    const known = await this.#store.connector(
      connectorId(this.#settings.namespace, target.rootUri),
    );
    const stored = known?.config ?? null;
    const changes = config !== null && digest(config) !== digest(stored);
    if (known !== null && changes && !update) {
      throw new TroveError(
        'connector_already_registered',
        `${target.rootUri} is registered with another configuration`,
      );
    }
    if (known?.status === 'removing') {
      throw new TroveError('connector_removing', `${target.rootUri} is being removed`);
    }
    const wanted = config ?? stored;
    const asked = { since, signal };
    if (known === null || changes) await this.#assertNewHealthy(target, wanted, asked);
    else await this.#assertKnownHealthy(known, asked);
    const record = await this.#store.registerConnector({
      id: connectorId(this.#settings.namespace, target.rootUri),
      rootUri: target.rootUri,
      type: target.plugin.scheme,
      config: wanted,
    });
    const job = await this.#queue(record, { full, since, ...(changes ? { config } : {}) });
    this.#worker.notify();
    if (process) await this.#waitWhileAsked(job.id, signal);
    return {
      job_id: job.id,
      overlaps: await this.#sources.overlapping(target.rootUri),
      warnings: this.#sources.warnings(target, wanted),
    };
  }

  /** The job continues when its caller stops waiting: the worker of this process stays until it has ended. */
  async #waitWhileAsked(id: string, signal: AbortSignal): Promise<void> {
    const ended = this.#worker.during(this.wait(id, this.#signal));
    ended.catch(() => undefined);
    try {
      await beforeAbort(ended, signal);
    } catch (error) {
      if (!signal.aborted || !isTroveError(error) || error.code !== 'timed_out') throw error;
      throw new TroveError('timed_out', `${error.detail}; the job ${id} goes on`, {
        suggestions: ['Ask for the job until it has ended, or add without `process`.'],
      });
    }
  }

  async list(query: Infer<typeof jobsQuerySchema>): Promise<JobResponse[]> {
    const { limit, offset, status, target } = query;
    const jobs = await this.#store.jobs({
      limit,
      offset,
      ...(status === undefined ? {} : { status }),
      ...(target === undefined ? {} : { target: await this.#sources.canonical(target) }),
    });
    return Promise.all(jobs.map((job) => this.#view(job)));
  }

  async get(id: string): Promise<JobResponse> {
    return this.#view(await this.#job(id));
  }

  async cancel(id: string): Promise<CancelResponse> {
    const before = await this.#job(id);
    if (finished.has(before.status)) return { job_id: id, cancelled: false };
    await this.#store.cancelJob(id);
    this.#worker.cancelled(id);
    this.#worker.notify();
    return { job_id: id, cancelled: true };
  }

  /** Resolves when the job has ended. */
  async wait(id: string, signal: AbortSignal): Promise<JobResponse> {
    const started = performance.now();
    for (;;) {
      const { moment } = this.#worker.ended;
      const job = await this.#job(id);
      if (finished.has(job.status)) return this.#view(job);
      const share = (performance.now() - started) / 8;
      const poll = Math.min(longestPollMs, Math.max(shortestPollMs, share));
      await this.#worker.ended.wait(moment, poll, signal);
      signal.throwIfAborted();
    }
  }

  async #assertNewHealthy(
    target: Target,
    config: ConnectorRecord['config'],
    asked: Asked,
  ): Promise<void> {
    const connector = await this.#sources.create(target, config);
    try {
      await assertHealthy(connector, asked);
    } finally {
      await connector.close();
    }
  }

  /** What is wrong with a registered source is stored with it: that no job was created tells others nothing. */
  async #assertKnownHealthy(known: ConnectorRecord, asked: Asked): Promise<void> {
    try {
      await assertHealthy(await this.#sources.open(known), asked);
    } catch (error) {
      asked.signal.throwIfAborted();
      if (isTroveError(error) && error.code !== 'since_unsupported') {
        await this.#store.reportProblem(known.id, { code: error.code, detail: error.detail });
      }
      throw error;
    }
  }

  #queue(
    record: ConnectorRecord,
    options: Pick<NewJob, 'full' | 'since' | 'config'>,
  ): Promise<JobRecord> {
    return this.#store.createJob({
      id: randomUUID(),
      connectorId: record.id,
      opKind: 'sync',
      trigger: 'manual',
      ...options,
    });
  }

  async #job(id: string): Promise<JobRecord> {
    const job = await this.#store.job(id);
    if (job === null) {
      throw new TroveError('not_found', 'There is no such job', {
        suggestions: ['List the jobs: those that ended long ago are forgotten.'],
      });
    }
    return job;
  }

  async #view(job: JobRecord): Promise<JobResponse> {
    const failures = job.failed === 0 ? [] : await this.#store.failures(job.id, failuresShown);
    return jobView(job, failures);
  }
}

async function assertHealthy(connector: GuardedConnector, { since, signal }: Asked): Promise<void> {
  if (since !== null) await connector.assertListsSince(since, signal);
  const health = await connector.check(signal).catch((error: unknown) => {
    if (!isTroveError(error) || error.code !== 'timed_out') throw error;
    return { ok: false, detail: error.detail };
  });
  if (!health.ok) throw new TroveError('connector_unhealthy', health.detail);
}
