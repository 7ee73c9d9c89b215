import { inject, injectable, createToken, MetadataStoreToken } from '@trove/core/di';
import { isTroveError, TroveError, type Infer } from '@trove/core';
import type {
  ConnectorRecord,
  JobRecord,
  ConnectorRegistry,
  MetadataStore,
  NewConnector,
} from '@trove/core/store';
import {
  SyncJobsToken,
  type SyncJobs,
  type SyncOptions,
} from '../../generations/scheduling/sync-jobs.js';
import { ConnectorsToken, type Connectors, type Target } from '../connectors/connectors.js';
import type { AddResponse, addRequestSchema } from '../../api/schemas.js';
import type { GuardedConnector } from '../connectors/guarded-connector.js';
import { pauseOf, type SourceHealth } from '../connectors/source-health.js';
import { pollingNotice } from '../connectors/watching.js';
import { parseSchedule } from '../schedules/schedule.js';
import { assertSchedulable, configChangeOf } from './desired-config.js';
import type { SyncPermission } from './sync-permission.js';

/** A source with its health check. */
interface CheckedSource {
  readonly connector: GuardedConnector;
  /** Healthy, or rate limited. */
  readonly health: SourceHealth;
}

/** A source, and the job that syncs it. */
interface AddedSource extends CheckedSource {
  readonly job: JobRecord;
}

/** The token of `Registration` in an engine's container. */
export const RegistrationToken = createToken<Registration>('engine.registration');

/** Registers sources and queues their syncs. Stores nothing until the source was reached. */
@injectable()
export class Registration {
  readonly #sources: ConnectorRegistry;
  readonly #connectors: Connectors;
  readonly #jobs: SyncJobs;

  constructor(
    @inject(MetadataStoreToken) store: Pick<MetadataStore, 'sources'>,
    @inject(ConnectorsToken) connectors: Connectors,
    @inject(SyncJobsToken) jobs: SyncJobs,
  ) {
    this.#sources = store.sources;
    this.#connectors = connectors;
    this.#jobs = jobs;
  }

  async add(
    request: Infer<typeof addRequestSchema>,
    signal: AbortSignal,
    permission: SyncPermission,
  ): Promise<AddResponse> {
    const { full, since, process, update } = request;
    // Checked first, because other errors depend on the files of this machine.
    await permission.assert({
      rootUri: await this.#connectors.canonicalUri(request.target, 'target'),
      setsConfig: request.config !== null || request.schedule !== null || update,
    });
    const target = await this.#connectors.resolveTarget(request.target);
    const { rootUri } = target;
    const known = await this.#connectors.findRegistered(rootUri);
    const id = known?.id ?? (await this.#connectors.idOf(rootUri));
    const change = configChangeOf(request, known?.config ?? null);
    if (known !== null && change !== null && !update) {
      throw new TroveError(
        'connector_already_registered',
        `${rootUri} is registered with another configuration`,
      );
    }
    if (known?.status === 'removing') {
      throw new TroveError('connector_removing', `${rootUri} is being removed`);
    }
    const config = change === null ? (known?.config ?? null) : change.config;
    const source = { id, config, tree: known?.tree ?? null };
    assertSchedulable(source);
    const { connector, health, job } =
      known === null || change?.isScheduleOnly === false
        ? await this.#addNew(
            target,
            source,
            { full, since, ...(change === null ? {} : { config }) },
            signal,
          )
        : await this.#addKnown(
            change === null ? known : await this.#configure(known, config),
            { full, since },
            signal,
          );
    await this.#plan(source);
    const isPolled =
      (change ?? request).config?.['watch'] === true &&
      !(await connector.capabilities(signal)).watch;
    const polled = isPolled ? [pollingNotice(target.scheme)] : [];
    if (process) await this.#jobs.process(job.id, signal);
    return {
      job_id: job.id,
      overlaps: (await this.#connectors.findOverlaps(rootUri)).filter(permission.sees),
      warnings: [...connector.warnings, ...pauseWarnings(health), ...polled],
    };
  }

  /** Changes the schedule, even if the source cannot be reached or is being synced. */
  async #configure(
    known: ConnectorRecord,
    config: ConnectorRecord['config'],
  ): Promise<ConnectorRecord> {
    await this.#sources.configure(known.id, config);
    await this.#plan({ id: known.id, config });
    return { ...known, config };
  }

  /** Plans the first sync of the schedule, unless one is planned. */
  async #plan({ id, config }: Pick<ConnectorRecord, 'id' | 'config'>): Promise<void> {
    const schedule = config && parseSchedule(config);
    if (schedule !== null) await this.#sources.planSync(id, schedule.first(id, Date.now()));
  }

  /** Registers the source. Its connector from the check stays open for the source. */
  async #addNew(
    target: Target,
    { id, config, tree }: Pick<ConnectorRecord, 'id' | 'config' | 'tree'>,
    sync: SyncOptions,
    signal: AbortSignal,
  ): Promise<AddedSource> {
    const connector = await this.#connectors.create(target, { config, tree });
    try {
      const health = await checkHealth(connector, sync.since, signal);
      const record = { id, rootUri: target.rootUri, type: target.scheme, config, tree };
      const job = await this.#queue(record, sync, health);
      this.#connectors.adopt(record, connector);
      return { connector, health, job };
    } catch (error) {
      await this.#connectors.release(connector);
      throw error;
    }
  }

  /** Stores a failure with the registered source. Without a job, other callers could not see it. */
  async #addKnown(
    known: ConnectorRecord,
    sync: SyncOptions,
    signal: AbortSignal,
  ): Promise<AddedSource> {
    const source = await this.#reach(known, sync.since, signal).catch(async (error: unknown) => {
      signal.throwIfAborted();
      if (isTroveError(error) && error.code !== 'since_unsupported') {
        await this.#sources.reportProblem(known.id, {
          code: error.publicCode,
          detail: error.detail,
        });
      }
      throw error;
    });
    return { ...source, job: await this.#queue(known, sync, source.health) };
  }

  async #reach(
    known: ConnectorRecord,
    since: string | null,
    signal: AbortSignal,
  ): Promise<CheckedSource> {
    const connector = await this.#connectors.open(known);
    return { connector, health: await checkHealth(connector, since, signal) };
  }

  async #queue(
    { id, rootUri, type, config }: NewConnector,
    sync: SyncOptions,
    health: SourceHealth,
  ): Promise<JobRecord> {
    const record = await this.#sources.register({ id, rootUri, type, config });
    return this.#jobs.queue(record.id, { ...sync, pauseMs: pauseOf(health) ?? 0 });
  }
}

/** Throws unless the source is healthy, or only asks for a pause. */
export async function checkHealth(
  connector: GuardedConnector,
  since: string | null,
  signal: AbortSignal,
): Promise<SourceHealth> {
  if (since !== null) await connector.assertListsSince(since, signal);
  const health = await connector.check(signal).catch((error: unknown) => {
    if (!isTroveError(error) || error.code !== 'timed_out') throw error;
    throw new TroveError('connector_unhealthy', error.detail, { cause: error });
  });
  // The connector's text includes the remedy, and general advice might contradict it.
  if (pauseOf(health) !== null) return health;
  const { code, detail, retryAfterMs } = health;
  throw new TroveError(code ?? 'connector_unhealthy', detail, {
    suggestions: [],
    ...(retryAfterMs === null ? {} : { retryable: true, retryAfterMs }),
  });
}

export function pauseWarnings({ ok, detail }: SourceHealth): string[] {
  return ok ? [] : [`The source asks for a pause, so its sync starts later: ${detail}`];
}
