import { inject, injectable, createToken, MetadataStoreToken } from '@trove/core/di';
import { TroveError, type Infer } from '@trove/core';
import type { ConnectorRecord, MetadataStore } from '@trove/core/store';
import { SyncJobsToken, type SyncJobs } from '../../generations/scheduling/sync-jobs.js';
import { ConnectorsToken, type Connectors, type Target } from '../connectors/connectors.js';
import type { GuardedConnector } from '../connectors/guarded-connector.js';
import { pauseOf } from '../connectors/source-health.js';
import { digest } from '../ids.js';
import { changeConfig } from '../schedules/sync-settings.js';
import type { MoveResponse, moveRequestSchema } from '../../api/schemas.js';
import { checkHealth, pauseWarnings } from './registration.js';

/** Objects from which the sample is taken, its size, and the entries of a listing that are compared with it. */
const maxObjects = 1000;
const sampleSize = 40;
const maxEntries = 20_000;
const maxLookups = 8;
/** A new place that has fewer of the sampled objects is another source. */
const minShare = 0.5;

/** The token of `SourceMoves` in an engine's container. */
export const SourceMovesToken = createToken<SourceMoves>('engine.source_moves');

/** Moves registered sources to other addresses. Their objects, rows and cursors stay. */
@injectable()
export class SourceMoves {
  readonly #store: Pick<MetadataStore, 'objects'>;
  readonly #connectors: Connectors;
  readonly #jobs: SyncJobs;

  constructor(
    @inject(MetadataStoreToken) store: Pick<MetadataStore, 'objects'>,
    @inject(ConnectorsToken) connectors: Connectors,
    @inject(SyncJobsToken) jobs: SyncJobs,
  ) {
    this.#store = store;
    this.#connectors = connectors;
    this.#jobs = jobs;
  }

  async move(
    { target, to, config, force }: Infer<typeof moveRequestSchema>,
    signal: AbortSignal,
  ): Promise<MoveResponse> {
    const record = await this.#findMovable(target);
    const place = await this.#resolvePlace(record, to);
    const moved = config === null ? record.config : changeConfig(record.config, config);
    const isChanged = digest(moved) !== digest(record.config);
    const options = { config: moved, tree: null, isTemporary: true };
    const connector = await this.#connectors.create(place, options);
    try {
      const health = await checkHealth(connector, null, signal);
      if (!force) await this.#assertAlike(record, place, connector, signal);
      const overlaps = await this.#connectors.findOverlaps(place.rootUri);
      const job = await this.#jobs.queue(record.id, {
        full: false,
        since: null,
        trigger: 'move',
        rootUri: place.rootUri,
        pauseMs: pauseOf(health) ?? 0,
        ...(isChanged ? { config: moved } : {}),
      });
      return {
        target: place.rootUri,
        moved_from: record.rootUri,
        job_id: job.id,
        overlaps: overlaps.filter((uri) => uri !== record.rootUri),
        warnings: [...connector.warnings, ...pauseWarnings(health)],
      };
    } finally {
      await this.#connectors.release(connector);
    }
  }

  async #findMovable(target: string): Promise<ConnectorRecord> {
    const uri = await this.#connectors.canonicalUri(target, 'target');
    const record = await this.#connectors.findRegistered(uri);
    if (record === null) throw new TroveError('not_found', `${uri} is not a registered source`);
    if (record.status === 'removing')
      throw new TroveError('connector_removing', `${uri} is being removed`);
    if (record.tree !== null) {
      throw new TroveError('not_supported', `${uri} was uploaded, so the server has its files`, {
        suggestions: ['Upload the folder from its new place, then remove this source.'],
      });
    }
    return record;
  }

  async #resolvePlace({ rootUri, type }: ConnectorRecord, to: string): Promise<Target> {
    const place = await this.#connectors.resolveTarget(to);
    if (place.scheme !== type)
      throw new TroveError('validation_error', `to: must be a URI of ${type}, like ${rootUri}`);
    if (place.rootUri === rootUri)
      throw new TroveError('validation_error', `to: ${rootUri} is already the place of the source`);
    if ((await this.#connectors.findRegistered(place.rootUri)) !== null) {
      throw new TroveError(
        'connector_already_registered',
        `${place.rootUri} is already registered`,
        {
          suggestions: ['Remove one of the two sources.'],
        },
      );
    }
    return place;
  }

  /** Throws `source_differs` unless at least half of a sample of the stored objects are at the new place. */
  async #assertAlike(
    { id, rootUri }: ConnectorRecord,
    place: Target,
    connector: GuardedConnector,
    signal: AbortSignal,
  ): Promise<void> {
    const stored = await this.#store.objects.list(id, {
      prefix: '',
      after: null,
      limit: maxObjects,
    });
    const step = Math.max(1, stored.length / sampleSize);
    const paths = new Set<string>();
    for (let at = 0; at < stored.length; at += step) {
      const object = stored[Math.floor(at)];
      if (object !== undefined) paths.add(object.path);
    }
    const { stat } = await connector.capabilities(signal);
    const found = stat
      ? await countStored(connector, [...paths], signal)
      : await countListed(connector, paths, signal);
    if (found >= paths.size * minShare) return;
    throw new TroveError(
      'source_differs',
      `${place.rootUri} has only ${found} of ${paths.size} sampled objects of ${rootUri}`,
    );
  }
}

async function countStored(
  connector: GuardedConnector,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  let found = 0;
  for (let from = 0; from < paths.length; from += maxLookups) {
    const some = paths.slice(from, from + maxLookups);
    // An object that cannot be looked up counts as missing.
    const entries = await Promise.all(
      some.map((path) => connector.stat({ path, identity: null }, signal).catch(() => null)),
    );
    signal.throwIfAborted();
    found += entries.filter((entry) => entry !== null).length;
  }
  return found;
}

async function countListed(
  connector: GuardedConnector,
  paths: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<number> {
  let found = 0;
  let listed = 0;
  for await (const { path } of connector.list({ signal })) {
    if (paths.has(path)) found++;
    if (found === paths.size || ++listed === maxEntries) break;
  }
  return found;
}
