import type { Logger } from '@trove/core';
import {
  ClockToken,
  LoggerToken,
  MetadataStoreToken,
  TransformationCacheToken,
  VectorIndexToken,
  type Clock,
  type DependencyContainer,
  type InjectionToken,
} from '@trove/core/di';
import type { Collection, VectorIndex } from '@trove/core/index';
import type { MetadataStore, TransformationCache } from '@trove/core/store';
import type { Workers } from '@trove/core/workers';
import {
  embeddingName,
  Gate,
  type ConversionService,
  type EmbeddingService,
  type KnownSecrets,
  type LanguageModelService,
  type PluginRegistry,
} from '@trove/runtime';
import type { ChunkerModule } from './content/chunking/chunker.js';
import {
  CallerPoolToken,
  JobsPoolToken,
  createJobsPool,
  type ComputePools,
} from './content/compute/compute-pool.js';
import { Contents, ContentsToken } from './content/contents.js';
import { registerVisibleQueries } from './compose-queries.js';
import { registerClass, registerFactory, registerValue } from './di/registration.js';
import { ActiveObjects, ActiveObjectsToken } from './generations/selection/active-objects.js';
import {
  GenerationFinderToken,
  GenerationsToken,
  type Generations,
} from './generations/selection/generations.js';
import { EmbedderSwitch, EmbedderSwitchToken } from './generations/selection/embedder-switch.js';
import { DiskSpaceService, DiskSpaceToken } from './generations/maintenance/disk-space.js';
import { DiskUseService, DiskUseToken } from './generations/maintenance/disk-use.js';
import { IndexRepair, IndexRepairToken } from './generations/maintenance/index-repair.js';
import { LargeJobs, LargeJobsToken } from './generations/scheduling/large-jobs.js';
import { LoadMonitor, LoadMonitorToken } from './generations/scheduling/load-monitor.js';
import { SyncJobsToken } from './generations/scheduling/sync-jobs.js';
import {
  TrainedEmbedderToken,
  type TrainedEmbedder,
} from './generations/training/trained-embedder.js';
import { AlertService, AlertsToken } from './ingest/alerts/alert-service.js';
import { ExplainService, ExplainToken } from './ingest/estimates/explain-service.js';
import { ProbeService, ProbeToken } from './ingest/estimates/probe-service.js';
import { JobService, JobsToken, LocalWorkerToken } from './ingest/jobs/job-service.js';
import { IngestServicesToken } from './ingest/tasks/process-task.js';
import { TaskFiles, TaskFilesToken } from './ingest/tasks/task-files.js';
import { ScheduledSources, ScheduledSourcesToken } from './ingest/schedules/scheduled-sources.js';
import { WatchedSources, WatchedSourcesToken } from './ingest/watching/watched-sources.js';
import { InProcessWorker, InProcessWorkerToken } from './ingest/worker/in-process-worker.js';
import { AskToken } from './query/ask/ask-service.js';
import { BrowseToken } from './query/browse/browse-service.js';
import { ReadToken } from './query/browse/read-service.js';
import { TextService, TextsToken } from './query/browse/text-service.js';
import { GrepToken } from './query/grep/grep-service.js';
import { LinearGrepper, LinearGrepperToken } from './query/grep/linear-grep.js';
import { NativeGrepper, NativeGrepperToken } from './query/grep/native-grep.js';
import { exactScorer, HitScorerToken } from './query/search/hit-scores.js';
import { RankerToken, type Ranker } from './query/search/ranker.js';
import { SearchToken } from './query/search/search-service.js';
import { SecondStageToken, type SecondStage } from './query/search/second-stage.js';
import { SymbolsToken } from './query/symbols/symbol-service.js';
import { Readiness, ReadinessToken } from './query/status/readiness.js';
import { GatesToken, StatisticsService, StatisticsToken } from './query/status/statistics.js';
import { StatusService, StatusToken } from './query/status/status-service.js';
import { StoredCounts, StoredCountsToken } from './query/status/stored-counts.js';
import type { EngineSettings } from './settings.js';
import { ConnectorTypes, ConnectorTypesToken } from './sources/connectors/connector-types.js';
import { Connectors, ConnectorsToken, SourceFilesToken } from './sources/connectors/connectors.js';
import { SourceFinderToken } from './sources/connectors/source-finder.js';
import { SourceFolders, SourceFoldersToken } from './sources/connectors/source-folders.js';
import { SourceTree, SourceTreeToken } from './sources/connectors/source-tree.js';
import { LoginService, LoginServiceToken } from './sources/connectors/login-service.js';
import { SourceLogins, SourceLoginsToken } from './sources/connectors/source-logins.js';
import { TokenFiles, TokenFilesToken } from './sources/connectors/token-files.js';
import { ObjectPlanner, ObjectPlannerToken } from './sources/objects/object-plan.js';
import { Registration, RegistrationToken } from './sources/registration/registration.js';
import { Removal, RemovalToken } from './sources/registration/removal.js';
import {
  SourceDefinitions,
  SourceDefinitionsToken,
} from './sources/registration/source-definitions.js';
import { SourceMoves, SourceMovesToken } from './sources/registration/source-moves.js';
import { TokenService, TokensToken } from './sources/tokens/token-service.js';
import { TreeStore, TreeStoreToken } from './sources/uploads/tree-store.js';
import { UploadService, UploadsToken } from './sources/uploads/upload-service.js';
import { UploadThreads, UploadThreadsToken } from './sources/uploads/upload-threads.js';
import {
  ArtifactFolderToken,
  ConversionsToken,
  CredentialFolderToken,
  EmbeddingToken,
  GrepGateToken,
  LanguageModelToken,
  PluginRegistryToken,
  QueryGateToken,
  RowVersionToken,
  SecretsToken,
  SettingsToken,
  SignalToken,
  SourceFolderToken,
  StoppingToken,
  TaskFolderToken,
  UploadFolderToken,
  WorkersToken,
  WriterToken,
} from './tokens.js';

/** Opened plugins and the engine's own values, which the services are made from. */
export interface Dependencies {
  readonly settings: EngineSettings;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Aborts when the engine closes. */
  readonly signal: AbortSignal;
  /** Aborts when the engine begins to close. Calls then stop waiting for jobs. */
  readonly stopping: AbortSignal;
  readonly registry: PluginRegistry;
  readonly store: MetadataStore;
  readonly index: VectorIndex;
  /** The folder of this store's uploads. Null: uploads are not accepted. */
  readonly uploadFolder: string | null;
  /** The folder for files of this store's connectors. Null: connectors keep nothing. */
  readonly sourceFolder: string | null;
  /** The folder for refreshed tokens of this store's sources. Null: they are kept in memory. */
  readonly credentialFolder: string | null;
  /** The folder for files of unfinished tasks of this store. Null: tasks have only memory. */
  readonly taskFolder: string | null;
  readonly cache: TransformationCache | null;
  /** The folder for converted documents. Null: they are not cached in a folder. */
  readonly artifactFolder: string | null;
  readonly collection: Collection;
  readonly generations: Generations;
  readonly pools: ComputePools;
  readonly embedding: EmbeddingService;
  readonly trainedEmbedder: TrainedEmbedder;
  /** Writes summaries and descriptions of objects. Null: none are written. */
  readonly llm: LanguageModelService | null;
  /** Opens the configured language model on first use. Null: only the default, which accepts no prompts. */
  readonly languageModel: (() => Promise<LanguageModelService>) | null;
  readonly conversions: ConversionService;
  readonly ranker: Ranker;
  /** Null: none is configured. */
  readonly secondStage: SecondStage | null;
  readonly chunker: ChunkerModule | null;
  readonly secrets: KnownSecrets;
  readonly workers: Workers;
}

/** The limit of concurrent greps. Each reads sources with several threads and holds its results. */
const maxGreps = 4;

/** Registers the services of one engine in its container. Only this function wires them together. */
export function compose(container: DependencyContainer, given: Dependencies): Services {
  registerValues(container, given);
  registerSources(container);
  registerIngest(container, given);
  registerQueries(container);
  registerMaintenance(container);
  return resolveServices(container);
}

function registerValues(container: DependencyContainer, given: Dependencies): void {
  registerValue(container, LoggerToken, given.logger);
  registerValue(container, ClockToken, given.clock);
  registerValue(container, MetadataStoreToken, given.store);
  registerValue(container, TransformationCacheToken, given.cache);
  registerValue(container, VectorIndexToken, given.index);
  registerValue(container, RankerToken, given.ranker);
  registerValue(container, HitScorerToken, exactScorer);
  registerValue(container, SettingsToken, given.settings);
  registerValue(container, SignalToken, given.signal);
  registerValue(container, StoppingToken, given.stopping);
  registerValue(container, SecretsToken, given.secrets);
  registerValue(container, WorkersToken, given.workers);
  registerValue(container, PluginRegistryToken, given.registry);
  registerValue(container, UploadFolderToken, given.uploadFolder);
  registerValue(container, SourceFolderToken, given.sourceFolder);
  registerValue(container, CredentialFolderToken, given.credentialFolder);
  registerValue(container, TaskFolderToken, given.taskFolder);
  registerValue(container, ArtifactFolderToken, given.artifactFolder);
  registerValue(container, EmbeddingToken, given.embedding);
  registerValue(container, RowVersionToken, rowVersionOf(given));
  registerValue(container, WriterToken, given.llm);
  registerValue(container, LanguageModelToken, given.languageModel);
  registerValue(container, SecondStageToken, given.secondStage);
  registerValue(container, ConversionsToken, given.conversions);
  registerValue(container, GenerationsToken, given.generations);
  registerValue(container, TrainedEmbedderToken, given.trainedEmbedder);
  registerValue(container, CallerPoolToken, given.pools.callers);
  registerValue(container, QueryGateToken, new Gate());
  registerValue(container, GrepGateToken, new Gate(maxGreps));
}

function rowVersionOf({ embedding, chunker }: Dependencies): string {
  const name = embeddingName(embedding.facts);
  return chunker === null ? name : `${name} chunker ${chunker.version}`;
}

function registerSources(container: DependencyContainer): void {
  registerClass(container, UploadThreadsToken, UploadThreads);
  registerClass(container, TreeStoreToken, TreeStore);
  registerClass(container, SourceFoldersToken, SourceFolders);
  registerClass(container, TokenFilesToken, TokenFiles);
  registerClass(container, SourceLoginsToken, SourceLogins);
  registerClass(container, LoginServiceToken, LoginService);
  registerFactory(container, SourceFilesToken, (get) => ({
    trees: get(TreeStoreToken),
    folders: get(SourceFoldersToken),
    tokens: get(TokenFilesToken),
  }));
  registerClass(container, ObjectPlannerToken, ObjectPlanner);
  registerClass(container, ConnectorsToken, Connectors);
  registerClass(container, SourceTreeToken, SourceTree);
  registerClass(container, RegistrationToken, Registration);
  registerClass(container, RemovalToken, Removal);
  registerClass(container, SourceDefinitionsToken, SourceDefinitions);
  registerClass(container, SourceMovesToken, SourceMoves);
  registerClass(container, UploadsToken, UploadService);
  registerClass(container, TokensToken, TokenService);
}

function registerIngest(container: DependencyContainer, { pools }: Dependencies): void {
  registerClass(container, ContentsToken, Contents);
  registerFactory(container, JobsPoolToken, (get) =>
    createJobsPool(pools.indexing, get(LoadMonitorToken)),
  );
  registerFactory(container, IngestServicesToken, (get) => ({
    contents: get(ContentsToken),
    store: get(MetadataStoreToken),
    collection: get(GenerationsToken).own.collection,
    generations: get(GenerationsToken),
    loadMonitor: get(LoadMonitorToken),
    pool: get(JobsPoolToken),
    embedding: get(EmbeddingToken),
    trainedEmbedder: get(TrainedEmbedderToken),
    largeJobs: get(LargeJobsToken),
    llm: get(WriterToken),
    planner: get(ObjectPlannerToken),
    settings: get(SettingsToken),
    diskSpace: get(DiskSpaceToken),
    taskFiles: get(TaskFilesToken),
  }));
  registerClass(container, TaskFilesToken, TaskFiles);
  registerClass(container, InProcessWorkerToken, InProcessWorker);
  registerFactory(container, LocalWorkerToken, (get) => get(InProcessWorkerToken));
  registerClass(container, JobsToken, JobService);
  registerFactory(container, SyncJobsToken, (get) => get(JobsToken));
  registerClass(container, WatchedSourcesToken, WatchedSources);
  registerClass(container, ScheduledSourcesToken, ScheduledSources);
  registerClass(container, AlertsToken, AlertService);
  registerClass(container, ConnectorTypesToken, ConnectorTypes);
  registerClass(container, ProbeToken, ProbeService);
  registerClass(container, ExplainToken, ExplainService);
}

function registerQueries(container: DependencyContainer): void {
  registerFactory(container, SourceFinderToken, (get) => get(ConnectorsToken));
  registerFactory(container, GenerationFinderToken, (get) => get(GenerationsToken));
  registerVisibleQueries(container);
  registerClass(container, LinearGrepperToken, LinearGrepper);
  registerClass(container, NativeGrepperToken, NativeGrepper);
  registerClass(container, TextsToken, TextService);
  registerClass(container, StatusToken, StatusService);
  registerFactory(container, GatesToken, (get) => ({
    search: get(QueryGateToken),
    grep: get(GrepGateToken),
    ...get(UploadsToken).gates,
  }));
  registerClass(container, StoredCountsToken, StoredCounts);
  registerClass(container, StatisticsToken, StatisticsService);
  registerClass(container, ReadinessToken, Readiness);
}

function registerMaintenance(container: DependencyContainer): void {
  registerClass(container, ActiveObjectsToken, ActiveObjects);
  registerClass(container, LargeJobsToken, LargeJobs);
  registerClass(container, LoadMonitorToken, LoadMonitor);
  registerClass(container, DiskSpaceToken, DiskSpaceService);
  registerClass(container, DiskUseToken, DiskUseService);
  registerClass(container, IndexRepairToken, IndexRepair);
  registerClass(container, EmbedderSwitchToken, EmbedderSwitch);
}

/** The services that operations and the engine's lifecycle use. */
function resolveServices(container: DependencyContainer) {
  const get = <T>(token: InjectionToken<T>): T => container.resolve(token);
  return {
    callers: get(LoadMonitorToken),
    connectors: get(ConnectorsToken),
    ingest: get(InProcessWorkerToken),
    watched: get(WatchedSourcesToken),
    scheduled: get(ScheduledSourcesToken),
    alerts: get(AlertsToken),
    jobs: get(JobsToken),
    embedderSwitch: get(EmbedderSwitchToken),
    repair: get(IndexRepairToken),
    search: get(SearchToken),
    ask: get(AskToken),
    read: get(ReadToken),
    texts: get(TextsToken),
    browse: get(BrowseToken),
    grep: get(GrepToken),
    symbols: get(SymbolsToken),
    status: get(StatusToken),
    probe: get(ProbeToken),
    explain: get(ExplainToken),
    connectorTypes: get(ConnectorTypesToken),
    registration: get(RegistrationToken),
    removal: get(RemovalToken),
    definitions: get(SourceDefinitionsToken),
    moves: get(SourceMovesToken),
    uploads: get(UploadsToken),
    statistics: get(StatisticsToken),
    diskUse: get(DiskUseToken),
    trees: get(TreeStoreToken),
    folders: get(SourceFoldersToken),
    tokenFiles: get(TokenFilesToken),
    tokens: get(TokensToken),
    taskFiles: get(TaskFilesToken),
    logins: get(SourceLoginsToken),
    loginService: get(LoginServiceToken),
    readiness: get(ReadinessToken),
  };
}

export type Services = ReturnType<typeof resolveServices>;
