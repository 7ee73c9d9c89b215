import type { Collection, Logger, MetadataStore } from '@trove/core';
import {
  CollectionToken,
  createContainer,
  Lifecycle,
  LoggerToken,
  MetadataStoreToken,
  token,
  type ClassProvider,
  type DependencyContainer,
  type InjectionToken,
} from '@trove/core/di';
import { embeddingName, type EmbeddingService, type PluginRegistry, Gate } from '@trove/runtime';
import { ProbeService } from './sources/probe-service.js';
import { Registration } from './sources/registration.js';
import { Removal } from './sources/removal.js';
import { StatusService } from './sources/status-service.js';
import type { ComputePool } from './compute/compute-pool.js';
import {
  ComputePoolToken,
  ContentsToken,
  EmbeddingToken,
  InProcessWorkerToken,
  JobServiceToken,
  PlannerToken,
  GrepGateToken,
  LinearGrepperToken,
  QueryGateToken,
  RegistryToken,
  SettingsToken,
  SignalToken,
  SourcesToken,
} from './di/tokens.js';
import { InProcessWorker } from './ingest/in-process-worker.js';
import { ObjectPlanner } from './connectors/object-plan.js';
import { JobService } from './jobs/job-service.js';
import { BrowseService } from './read/browse-service.js';
import { GrepService } from './read/grep-service.js';
import { LinearGrepper } from './read/linear-grep.js';
import { Contents } from './content/contents.js';
import { ReadService } from './read/read-service.js';
import { SearchService } from './search/search-service.js';
import type { EngineSettings } from './settings.js';
import { Sources } from './connectors/sources.js';

/** Everything created before the container: opened plugins and the engine's own values. */
export interface Values {
  readonly settings: EngineSettings;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly registry: PluginRegistry;
  readonly store: MetadataStore;
  readonly collection: Collection;
  readonly pool: ComputePool;
  readonly embedding: EmbeddingService;
}

const SearchServiceToken = token<SearchService>('engine.searchService');
const ReadServiceToken = token<ReadService>('engine.readService');
const BrowseServiceToken = token<BrowseService>('engine.browseService');
const GrepServiceToken = token<GrepService>('engine.grepService');
const StatusServiceToken = token<StatusService>('engine.statusService');
const ProbeServiceToken = token<ProbeService>('engine.probeService');
const RegistrationToken = token<Registration>('engine.registration');
const RemovalToken = token<Removal>('engine.removal');

/** Each reads sources with several threads and holds its results. */
const grepsAtOnce = 4;

/** The services of one engine, built in a container of its own. */
export function compose(values: Values) {
  const container = createContainer();
  const { settings, logger, signal, registry, store, collection, pool, embedding } = values;
  provideValue(container, SettingsToken, settings);
  provideValue(container, LoggerToken, logger);
  provideValue(container, SignalToken, signal);
  provideValue(container, RegistryToken, registry);
  provideValue(container, MetadataStoreToken, store);
  provideValue(container, CollectionToken, collection);
  provideValue(container, ComputePoolToken, pool);
  provideValue(container, EmbeddingToken, embedding);
  provideValue(container, QueryGateToken, new Gate());
  provideValue(container, GrepGateToken, new Gate(grepsAtOnce));
  provideValue(
    container,
    PlannerToken,
    new ObjectPlanner(settings, embeddingName(embedding.facts)),
  );
  provideValue(container, ContentsToken, new Contents());

  provideClass(container, SourcesToken, Sources);
  provideClass(container, InProcessWorkerToken, InProcessWorker);
  provideClass(container, JobServiceToken, JobService);
  provideClass(container, SearchServiceToken, SearchService);
  provideClass(container, ReadServiceToken, ReadService);
  provideClass(container, BrowseServiceToken, BrowseService);
  provideClass(container, LinearGrepperToken, LinearGrepper);
  provideClass(container, GrepServiceToken, GrepService);
  provideClass(container, StatusServiceToken, StatusService);
  provideClass(container, ProbeServiceToken, ProbeService);
  provideClass(container, RegistrationToken, Registration);
  provideClass(container, RemovalToken, Removal);

  return {
    sources: container.resolve(SourcesToken),
    ingest: container.resolve(InProcessWorkerToken),
    jobs: container.resolve(JobServiceToken),
    search: container.resolve(SearchServiceToken),
    read: container.resolve(ReadServiceToken),
    browse: container.resolve(BrowseServiceToken),
    grep: container.resolve(GrepServiceToken),
    status: container.resolve(StatusServiceToken),
    probe: container.resolve(ProbeServiceToken),
    registration: container.resolve(RegistrationToken),
    removal: container.resolve(RemovalToken),
  };
}

export type Services = ReturnType<typeof compose>;

function provideValue<T>(container: DependencyContainer, key: InjectionToken<T>, value: T): void {
  assertNew(container, key);
  container.register(key, { useValue: value });
}

function provideClass<T>(
  container: DependencyContainer,
  key: InjectionToken<T>,
  useClass: ClassProvider<T>['useClass'],
): void {
  assertNew(container, key);
  container.register(key, { useClass }, { lifecycle: Lifecycle.ContainerScoped });
}

/** The container would silently let the last registration win. */
function assertNew(container: DependencyContainer, key: InjectionToken<unknown>): void {
  if (container.isRegistered(key))
    throw new Error(`${typeof key === 'symbol' ? key.description : 'a token'} is registered twice`);
}
