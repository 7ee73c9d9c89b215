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
import { SettingsToken } from '../../tokens.js';
import { ConnectorsToken, type Connectors, type Target } from '../connectors/connectors.js';
import type { AddResponse, addRequestSchema } from '../../api/schemas.js';
import type { GuardedConnector } from '../connectors/guarded-connector.js';
import { pauseOf, type SourceHealth } from '../connectors/source-health.js';
import { pollingNotice } from '../connectors/watching.js';
import { connectorId, digest } from '../ids.js';
import type { SyncPermission } from './sync-permission.js';
import type { EngineSettings } from '../../settings.js';

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
  readonly #settings: EngineSettings;

  constructor(
    @inject(MetadataStoreToken) store: Pick<MetadataStore, 'sources'>,
    @inject(ConnectorsToken) connectors: Connectors,
    @inject(SyncJobsToken) jobs: SyncJobs,
    @inject(SettingsToken) settings: EngineSettings,
  ) {
    this.#sources = store.sources;
    this.#connectors = connectors;
    this.#jobs = jobs;
    this.#settings = settings;
  }

  async add(
    request: Infer<typeof addRequestSchema>,
    signal: AbortSignal,
    permission: SyncPermission,
  ): Promise<AddResponse> {
    const { config, full, since, process, update } = request;
    // Checked first, because other errors depend on the files of this machine.
    await permission.assert({
      rootUri: await this.#connectors.canonicalUri(request.target, 'target'),
      setsConfig: config !== null || update,
    });
    const target = await this.#connectors.resolveTarget(request.target);
    const { rootUri } = target;
    const id = connectorId(this.#settings.namespace, rootUri);
    const known = await this.#sources.get(id);
    const stored = known?.config ?? null;
    const changes = config !== null && digest(config) !== digest(stored);
    if (known !== null && changes && !update) {
      throw new TroveError(
        'connector_already_registered',
        `${rootUri} is registered with another configuration`,
      );
    }
    if (known?.status === 'removing') {
      throw new TroveError('connector_removing', `${rootUri} is being removed`);
    }
    const sync = { full, since, ...(changes ? { config } : {}) };
    const { connector, health, job } =
      known === null || changes
        ? await this.#addNew(
            target,
            { id, config: config ?? stored, tree: known?.tree ?? null },
            sync,
            signal,
          )
        : await this.#addKnown(known, sync, signal);
    const isPolled = config?.['watch'] === true && !(await connector.capabilities(signal)).watch;
    const polled = isPolled ? [pollingNotice(target.scheme)] : [];
    if (process) await this.#jobs.process(job.id, signal);
    return {
      job_id: job.id,
      overlaps: (await this.#connectors.findOverlaps(rootUri)).filter(permission.sees),
      warnings: [...connector.warnings, ...pauseWarnings(health), ...polled],
    };
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
async function checkHealth(
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

function pauseWarnings({ ok, detail }: SourceHealth): string[] {
  return ok ? [] : [`The source asks for a pause, so its sync starts later: ${detail}`];
}
