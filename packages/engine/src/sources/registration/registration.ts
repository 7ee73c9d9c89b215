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
import type {
  AddResponse,
  addRequestSchema,
  ScheduleResponse,
  scheduleRequestSchema,
} from '../../api/schemas.js';
import type { GuardedConnector } from '../connectors/guarded-connector.js';
import { pauseOf, type SourceHealth } from '../connectors/source-health.js';
import { pollingNotice } from '../connectors/watching.js';
import { isPaused, scheduleOf } from '../schedules/sync-settings.js';
import { assertSchedulable, configChangeOf, type ConfigChange } from './desired-config.js';
import { requestedPaths } from './requested-paths.js';
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
    const paths = pathsOf(request, known, change);
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
            { full, since, paths },
            signal,
          );
    await this.#plan({ ...source, status: 'active' });
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

  /** Changes the schedule without a sync. */
  async schedule({
    target,
    ...schedule
  }: Infer<typeof scheduleRequestSchema>): Promise<ScheduleResponse> {
    const rootUri = await this.#connectors.canonicalUri(target, 'target');
    const known = await this.#connectors.findRegistered(rootUri);
    if (known === null) throw new TroveError('not_found', `${rootUri} is not a registered source`);
    if (known.status === 'removing')
      throw new TroveError('connector_removing', `${rootUri} is being removed`);
    const change = configChangeOf({ config: null, schedule, update: true }, known.config);
    if (change !== null) {
      assertSchedulable({ config: change.config, tree: known.tree });
      await this.#configure(known, change.config);
    }
    const record = (await this.#connectors.findRegistered(rootUri)) ?? known;
    const next = scheduleOf(record) === null ? null : record.nextSyncAt;
    return {
      target: rootUri,
      paused: isPaused(record.config),
      next_sync_at: next === null ? null : new Date(next).toISOString(),
    };
  }

  /** Changes the schedule, even if the source cannot be reached or is being synced. */
  async #configure(
    known: ConnectorRecord,
    config: ConnectorRecord['config'],
  ): Promise<ConnectorRecord> {
    await this.#sources.configure(known.id, config);
    await this.#plan({ ...known, config });
    return { ...known, config };
  }

  /** Plans the first sync of the schedule, unless one is planned. */
  async #plan(source: Pick<ConnectorRecord, 'id' | 'config' | 'status'>): Promise<void> {
    const { id } = source;
    const schedule = scheduleOf(source);
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
    const pauseMs = pauseOf(source.health) ?? 0;
    return { ...source, job: await this.#jobs.queue(known.id, { ...sync, pauseMs }) };
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

/** Returns the paths to which a sync is limited, or null. Throws `validation_error`. */
function pathsOf(
  { paths }: Pick<Infer<typeof addRequestSchema>, 'paths'>,
  known: ConnectorRecord | null,
  change: ConfigChange | null,
): readonly string[] | null {
  if (paths === null) return null;
  if (known !== null && change?.isScheduleOnly !== false) return requestedPaths(paths);
  throw new TroveError('validation_error', 'paths: requires a registered source', {
    suggestions: ['Add the source, or change its configuration, without `paths` first.'],
  });
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
