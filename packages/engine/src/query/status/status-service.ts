import { inject, injectable, createToken, MetadataStoreToken } from '@trove/core/di';
import type { MetadataStore } from '@trove/core/store';
import type { PluginRegistry } from '@trove/runtime';
import { GenerationsToken, type Generations } from '../../generations/selection/generations.js';
import {
  DiskSpaceToken,
  diskSpaceView,
  type DiskSpaceService,
} from '../../generations/maintenance/disk-space.js';
import { DiskUseToken, type DiskUseService } from '../../generations/maintenance/disk-use.js';
import { diskUseOf } from '../../generations/maintenance/source-disk-use.js';
import { WatchedSourcesToken, type WatchedSources } from '../../ingest/watching/watched-sources.js';
import { ConnectorsToken, type Connectors } from '../../sources/connectors/connectors.js';
import { PluginRegistryToken, SettingsToken } from '../../tokens.js';
import {
  type InspectResponse,
  type ServerInfo,
  type StatusResponse,
  type TargetQuery,
} from '../../api/schemas.js';
import { toIsoTime } from '../../ingest/jobs/job-view.js';
import type { EngineSettings } from '../../settings.js';
import {
  readActiveStatistics,
  type SwitchProgress,
} from '../../generations/selection/active-statistics.js';
import { capabilitiesOf, problemOf, scheduleView, timeOf, watchView } from './source-view.js';

/** How long the list of installed connectors is cached. */
const schemeCacheMs = 5000;

/** The token of `StatusService` in an engine's container. */
export const StatusToken = createToken<StatusService>('engine.status');

/** Reports on the server, its sources, and a single source in detail. */
@injectable()
export class StatusService {
  readonly #store: Pick<MetadataStore, 'jobs' | 'sources'>;
  readonly #generations: Generations;
  readonly #connectors: Connectors;
  readonly #registry: PluginRegistry;
  readonly #settings: EngineSettings;
  readonly #diskUse: DiskUseService;
  readonly #diskSpace: DiskSpaceService;
  readonly #watched: Pick<WatchedSources, 'state'>;
  #schemes: { readonly keys: string[]; readonly until: number } | null = null;

  constructor(
    @inject(MetadataStoreToken) store: Pick<MetadataStore, 'jobs' | 'sources'>,
    @inject(GenerationsToken) generations: Generations,
    @inject(ConnectorsToken) connectors: Connectors,
    @inject(PluginRegistryToken) registry: PluginRegistry,
    @inject(SettingsToken) settings: EngineSettings,
    @inject(DiskUseToken) diskUse: DiskUseService,
    @inject(DiskSpaceToken) diskSpace: DiskSpaceService,
    @inject(WatchedSourcesToken) watched: Pick<WatchedSources, 'state'>,
  ) {
    this.#store = store;
    this.#generations = generations;
    this.#connectors = connectors;
    this.#registry = registry;
    this.#settings = settings;
    this.#diskUse = diskUse;
    this.#diskSpace = diskSpace;
    this.#watched = watched;
  }

  serverInfo(): Omit<ServerInfo, 'access'> {
    const { version, machineId, namespace } = this.#settings;
    return {
      version,
      machine_id: machineId,
      namespace,
      api_version: 'v1',
      capabilities: { schemes: [...this.#installed()] },
    };
  }

  /** Cached, because the file system search takes a millisecond. */
  #installed(): readonly string[] {
    const now = performance.now();
    if (this.#schemes === null || now > this.#schemes.until) {
      this.#schemes = { keys: this.#registry.keys('connector'), until: now + schemeCacheMs };
    }
    return this.#schemes.keys;
  }

  async status(): Promise<StatusResponse> {
    const listing = this.#store.sources.list();
    const [connectors, { stats, lastSyncedAt, progress }, jobs, disk, disks] = await Promise.all([
      listing,
      readActiveStatistics(this.#generations, listing),
      this.#store.jobs.counts(),
      this.#diskUse.recent(),
      this.#diskSpace.disks(),
    ]);
    const allChunks = [...stats.values()].reduce((sum, { chunks }) => sum + chunks, 0);
    return {
      connectors: connectors.map((record) => ({
        root_uri: record.rootUri,
        type: record.type,
        status: record.status,
        object_count: stats.get(record.id)?.objects ?? 0,
        chunk_count: stats.get(record.id)?.chunks ?? 0,
        disk_bytes: diskUseOf({
          chunks: stats.get(record.id)?.chunks ?? 0,
          allChunks,
          indexBytes: disk.index,
          fileBytes: this.#diskUse.filesOf(record),
        }),
        last_synced_at: timeOf(lastSyncedAt.get(record.id)),
        ...problemOf(record),
        ...scheduleView(record),
        watch: watchView(this.#watched.state(record.id)),
      })),
      embedding: {
        name: this.#generations.own.embedding,
        switch: progress && switchView(progress),
      },
      jobs: { ...jobs },
      disk: { ...disk },
      disk_space: disks.map(diskSpaceView),
    };
  }

  async inspect({ target }: TargetQuery, signal: AbortSignal): Promise<InspectResponse> {
    const { record, connector } = await this.#connectors.locate(target, 'target');
    const [{ stats, lastSyncedAt }, jobs, config, capabilities] = await Promise.all([
      readActiveStatistics(this.#generations, Promise.resolve([record]), record.id),
      this.#store.jobs.counts(record.id),
      this.#connectors.redactConfig(record),
      connector.capabilities(signal),
    ]);
    const own = stats.get(record.id);
    return {
      id: record.id,
      root_uri: record.rootUri,
      type: record.type,
      status: record.status,
      registered_at: toIsoTime(record.registeredAt),
      last_synced_at: timeOf(lastSyncedAt.get(record.id)),
      ...problemOf(record),
      ...scheduleView(record),
      objects: own?.bySearchStatus ?? {},
      object_count: own?.objects ?? 0,
      chunk_count: own?.chunks ?? 0,
      jobs,
      config,
      capabilities: capabilitiesOf(capabilities),
    };
  }
}

function switchView({ from, sources, sourcesDone, objects, objectsDone }: SwitchProgress) {
  return {
    from: [...from],
    sources,
    sources_done: sourcesDone,
    objects,
    objects_done: objectsDone,
  };
}
