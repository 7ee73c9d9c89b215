import { createToken, inject, injectable, MetadataStoreToken } from '@trove/core/di';
import { relativePath } from '@trove/core';
import type { ConnectorRecord, MetadataStore } from '@trove/core/store';
import type { InspectResponse, StatusResponse, TargetQuery } from '../../api/schemas.js';
import {
  ActiveObjectsToken,
  type ActiveObjects,
} from '../../generations/selection/active-objects.js';
import {
  GenerationFinderToken,
  type GenerationFinder,
} from '../../generations/selection/generations.js';
import { toIsoTime } from '../../ingest/jobs/job-view.js';
import { WatchedSourcesToken, type WatchedSources } from '../../ingest/watching/watched-sources.js';
import {
  SourceFinderToken,
  uriOfPart,
  type SourceFinder,
  type SourcePart,
} from '../../sources/connectors/source-finder.js';
import { notRegisteredError } from '../../sources/connectors/owner.js';
import { VisiblePathsToken, type VisiblePaths } from '../../sources/visibility/visible-paths.js';
import { capabilitiesOf, problemOf, scheduleView, timeOf, watchView } from './source-view.js';

type SourceRow = StatusResponse['connectors'][number];

/** Sizes depend on hidden sources, too. */
const unknownSizes = {
  metadata: null,
  index: null,
  transformation_cache: null,
  artifact_cache: null,
  uploads: null,
};

/** The token of `VisibleStatusService` in the container of a restricted caller. */
export const VisibleStatusToken = createToken<VisibleStatusService>('engine.visible_status');

/** Reports on the visible sources. The visible part of a source looks like a source with that root. */
@injectable()
export class VisibleStatusService {
  readonly #store: Pick<MetadataStore, 'jobs'>;
  readonly #sources: SourceFinder;
  readonly #generations: GenerationFinder;
  readonly #objects: Pick<ActiveObjects, 'objectStats'>;
  readonly #watched: Pick<WatchedSources, 'state'>;
  readonly #visible: VisiblePaths;

  constructor(
    @inject(MetadataStoreToken) store: Pick<MetadataStore, 'jobs'>,
    @inject(SourceFinderToken) sources: SourceFinder,
    @inject(GenerationFinderToken) generations: GenerationFinder,
    @inject(ActiveObjectsToken) objects: Pick<ActiveObjects, 'objectStats'>,
    @inject(WatchedSourcesToken) watched: Pick<WatchedSources, 'state'>,
    @inject(VisiblePathsToken) visible: VisiblePaths,
  ) {
    this.#store = store;
    this.#sources = sources;
    this.#generations = generations;
    this.#objects = objects;
    this.#watched = watched;
    this.#visible = visible;
  }

  async status(): Promise<StatusResponse> {
    const parts = await this.#sources.listParts();
    const [connectors, jobs] = await Promise.all([
      Promise.all(parts.map((part) => this.#row(part))),
      this.#store.jobs.counts({ within: this.#visible.uris }),
    ]);
    return {
      connectors,
      embedding: { name: this.#generations.own.embedding, switch: null },
      jobs: { ...jobs },
      disk: unknownSizes,
      disk_space: [],
    };
  }

  async inspect({ target }: TargetQuery, signal: AbortSignal): Promise<InspectResponse> {
    const { record, connector, uri } = await this.#sources.locate(target, 'target');
    const parts = await this.#sources.listParts();
    const part = parts.find(
      (each) => each.record.id === record.id && relativePath(uriOfPart(each), uri) !== null,
    );
    if (part === undefined) throw notRegisteredError(uri);
    const isWhole = part.path === '';
    const [stats, jobs, config, capabilities] = await Promise.all([
      this.#objects.objectStats(record.id, part.path),
      isWhole ? this.#store.jobs.counts(record.id) : {},
      isWhole ? this.#sources.redactConfig(record) : null,
      connector.capabilities(signal),
    ]);
    return {
      id: record.id,
      root_uri: uriOfPart(part),
      type: record.type,
      status: record.status,
      registered_at: toIsoTime(record.registeredAt),
      last_synced_at: timeOf(record.lastSyncedAt),
      ...(isWhole ? progressOf(record) : hiddenProgress),
      objects: stats.bySearchStatus,
      object_count: stats.objects,
      chunk_count: stats.chunks,
      jobs,
      config,
      capabilities: capabilitiesOf(capabilities),
    };
  }

  async #row(part: SourcePart): Promise<SourceRow> {
    const { record, path } = part;
    const isWhole = path === '';
    const watch = watchView(this.#watched.state(record.id));
    const { objects, chunks } = await this.#objects.objectStats(record.id, path);
    return {
      root_uri: uriOfPart(part),
      type: record.type,
      status: record.status,
      object_count: objects,
      chunk_count: chunks,
      last_synced_at: timeOf(record.lastSyncedAt),
      disk_bytes: null,
      ...(isWhole ? progressOf(record) : hiddenProgress),
      watch: isWhole || watch === null ? watch : { ...watch, detail: null },
    };
  }
}

function progressOf(record: ConnectorRecord) {
  return { ...problemOf(record), ...scheduleView(record) };
}

/** Errors may name hidden objects of the source, and its schedule concerns all of them. */
const hiddenProgress = {
  error: null,
  detail: null,
  next_sync_at: null,
  paused: false,
  failing_since: null,
  last_error: null,
};
