import type { Logger } from '@trove/core';
import type { Collection, VectorIndex } from '@trove/core/index';
import type { MetadataStore, TransformationCache } from '@trove/core/store';
import {
  embeddingName,
  Gate,
  type ConversionService,
  type EmbeddingService,
  type KnownSecrets,
  type LanguageModelService,
  type PluginRegistry,
} from '@trove/runtime';
import { yielding, type ComputePools } from './content/compute/compute-pool.js';
import { ObjectPlanner } from './sources/objects/object-plan.js';
import { Connectors } from './sources/connectors/connectors.js';
import { Contents } from './content/contents.js';
import type { ChunkerModule } from './content/chunking/chunker.js';
import type { Ranker } from './query/search/ranker.js';
import { InProcessWorker } from './ingest/worker/in-process-worker.js';
import { LargeJobs } from './generations/scheduling/large-jobs.js';
import { JobService } from './ingest/jobs/job-service.js';
import { LoadMonitor } from './generations/scheduling/load-monitor.js';
import { BrowseService } from './query/browse/browse-service.js';
import { GrepService } from './query/grep/grep-service.js';
import { LinearGrepper } from './query/grep/linear-grep.js';
import { NativeGrepper } from './query/grep/native-grep.js';
import { ReadService } from './query/browse/read-service.js';
import { TextService } from './query/browse/text-service.js';
import type { SecondStage } from './query/search/second-stage.js';
import { SearchService } from './query/search/search-service.js';
import { ActiveObjects } from './generations/choice/active-objects.js';
import type { Editions } from './generations/choice/generations.js';
import { Switching } from './generations/choice/switching.js';
import type { TrainedEmbedder } from './generations/training/trained-embedder.js';
import type { EngineSettings } from './settings.js';
import { ProbeService } from './ingest/estimates/probe-service.js';
import { Registration } from './sources/registration/registration.js';
import { Removal } from './sources/registration/removal.js';
import { StatusService } from './query/status/status-service.js';
import { DiskSpaceService } from './generations/maintenance/disk-space.js';
import { DiskUseService } from './generations/maintenance/disk-use.js';
import { IndexRepair } from './generations/maintenance/index-repair.js';
import { Readiness } from './query/status/readiness.js';
import { StatisticsService } from './query/status/statistics.js';
import { SourceFolders } from './sources/connectors/source-folders.js';
import { TokenFiles } from './sources/connectors/token-files.js';
import { SourceTree } from './sources/connectors/source-tree.js';
import { WatchedSources } from './ingest/watching/watched-sources.js';
import { TreeStore } from './sources/uploads/tree-store.js';
import { UploadService } from './sources/uploads/upload-service.js';
import { UploadThreads } from './sources/uploads/upload-threads.js';

/** What the services stand on: opened plugins, and the engine's own values. */
export interface Ground {
  readonly settings: EngineSettings;
  readonly logger: Logger;
  /** Aborts when the engine closes. */
  readonly signal: AbortSignal;
  /** Aborts when the engine begins to close. Calls then stop waiting for jobs. */
  readonly stopping: AbortSignal;
  readonly registry: PluginRegistry;
  readonly store: MetadataStore;
  readonly index: VectorIndex;
  /** For the uploads of this store; null: uploads are not accepted. */
  readonly uploadFolder: string | null;
  /** For the sources of this store; null: connectors keep nothing. */
  readonly sourceFolder: string | null;
  /** For tokens of these sources; null: they are kept in memory. */
  readonly credentialFolder: string | null;
  readonly cache: TransformationCache | null;
  /** For converted documents. */
  readonly artifactFolder: string | null;
  readonly collection: Collection;
  readonly editions: Editions;
  readonly pools: ComputePools;
  readonly embedding: EmbeddingService;
  readonly fits: TrainedEmbedder;
  /** Null: nothing is written about objects. */
  readonly llm: LanguageModelService | null;
  readonly conversions: ConversionService;
  readonly ranker: Ranker;
  /** Null: none is configured. */
  readonly secondStage: SecondStage | null;
  readonly chunker: ChunkerModule | null;
  readonly secrets: KnownSecrets;
}

/** Each reads sources with several threads and holds its results. */
const grepsAtOnce = 4;

/** Creates the services of one engine. Only this function wires them together. */
export function compose(ground: Ground) {
  const {
    settings,
    logger,
    signal,
    stopping,
    registry,
    store,
    index,
    collection,
    editions,
    pools,
    embedding,
    fits,
  } = ground;
  const { llm, conversions, ranker, secondStage, chunker, secrets, cache } = ground;
  const { artifactFolder, uploadFolder, sourceFolder, credentialFolder } = ground;
  const callers = new LoadMonitor();
  const largeJobs = new LargeJobs(store);
  const queries = new Gate();
  const greps = new Gate(grepsAtOnce);
  const contents = new Contents(conversions, {
    pool: pools.callers,
    maxBytes: settings.maxFileBytes,
  });
  const cutting = chunker === null ? [] : [`chunker ${chunker.version}`];
  const madeWith = [embeddingName(embedding.facts), ...cutting].join(' ');
  const planner = new ObjectPlanner(settings, madeWith, fits, conversions);
  const uploadThreads = new UploadThreads();
  const trees = new TreeStore(uploadFolder, uploadThreads, settings.machineId);
  const folders = new SourceFolders(sourceFolder, settings.namespace);
  const tokens = new TokenFiles(credentialFolder, settings.namespace);
  const kept = { trees, folders, tokens };
  const connectors = new Connectors(registry, store, settings, logger, signal, secrets, kept);
  const objects = new ActiveObjects(editions);
  const sourceTree = new SourceTree(objects);
  const linear = new LinearGrepper(objects, pools.callers, editions, queries, contents);
  const own = new NativeGrepper(linear, conversions);
  const diskSpace = new DiskSpaceService(settings.storagePaths, logger);
  const ingest = new InProcessWorker(
    {
      store,
      collection,
      editions,
      contents,
      callers,
      pool: yielding(pools.indexing, callers),
      embedding,
      fits,
      largeJobs,
      llm,
      planner,
      settings,
      diskSpace,
    },
    connectors,
    logger,
  );
  const jobs = new JobService(store, connectors, ingest, diskSpace, stopping);
  const watched = new WatchedSources(store, connectors, jobs, logger);
  const repair = new IndexRepair({
    store,
    collection,
    reopen: () =>
      index.collection({
        name: collection.name,
        dimension: embedding.facts.dimension,
        embedding: editions.own.embedding,
      }),
    jobs,
    logger,
  });
  const switching = new Switching({
    store,
    index,
    namespace: settings.namespace,
    editions,
    jobs,
    logger,
  });
  const uploads = new UploadService(
    store,
    connectors,
    jobs,
    trees,
    uploadThreads,
    settings,
    logger,
  );
  const diskUse = new DiskUseService({ store, index, cache, artifactFolder, uploadFolder }, logger);
  const gates = { search: queries, grep: greps, ...uploads.gates };
  return {
    callers,
    connectors,
    ingest,
    watched,
    jobs,
    switching,
    repair,
    search: new SearchService(editions, largeJobs, embedding, fits, connectors, queries, ranker),
    read: new ReadService(connectors, objects, sourceTree, contents, pools.callers),
    texts: new TextService(connectors, sourceTree, contents, planner, settings),
    browse: new BrowseService(connectors, sourceTree, objects),
    grep: new GrepService(connectors, store, greps, linear, own),
    status: new StatusService(
      store,
      editions,
      connectors,
      registry,
      settings,
      diskUse,
      diskSpace,
      watched,
    ),
    probe: new ProbeService(connectors, pools.callers, settings, planner, contents),
    registration: new Registration(store, connectors, jobs, settings),
    removal: new Removal(store, editions, connectors, kept, jobs, logger, signal),
    uploads,
    uploadThreads,
    statistics: new StatisticsService(
      { store, editions, embedding, llm, secondStage, conversions, gates, diskUse },
      logger,
    ),
    diskUse,
    trees,
    folders,
    tokens,
    readiness: new Readiness(
      [
        { name: 'the metadata database', ask: () => store.connector('') },
        { name: 'the index', ask: () => requireCollection(index, collection.name) },
      ],
      diskSpace,
      logger,
    ),
  };
}

/** Asks the storage itself: a query may be answered from memory. */
async function requireCollection(index: VectorIndex, name: string): Promise<void> {
  if (!(await index.collections()).includes(name)) throw new Error(`${name} is not there`);
}

export type Services = ReturnType<typeof compose>;
