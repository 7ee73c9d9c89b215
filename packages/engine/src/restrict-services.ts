import {
  createContainer,
  LoggerToken,
  MetadataStoreToken,
  type DependencyContainer,
  type InjectionToken,
} from '@trove/core/di';
import type { Access } from './api/access.js';
import { registerVisibleQueries } from './compose-queries.js';
import type { Services } from './compose.js';
import { CallerPoolToken } from './content/compute/compute-pool.js';
import { ContentsToken } from './content/contents.js';
import { registerClass, registerValue } from './di/registration.js';
import { LargeJobsToken } from './generations/scheduling/large-jobs.js';
import { LoadMonitorToken } from './generations/scheduling/load-monitor.js';
import { ActiveObjectsToken } from './generations/selection/active-objects.js';
import { GenerationFinderToken } from './generations/selection/generations.js';
import { TrainedEmbedderToken } from './generations/training/trained-embedder.js';
import { WatchedSourcesToken } from './ingest/watching/watched-sources.js';
import { AskToken } from './query/ask/ask-service.js';
import { BrowseToken, type BrowseService } from './query/browse/browse-service.js';
import { ReadToken, type ReadService } from './query/browse/read-service.js';
import { GrepToken, type GrepService } from './query/grep/grep-service.js';
import { LinearGrepperToken } from './query/grep/linear-grep.js';
import { NativeGrepperToken } from './query/grep/native-grep.js';
import { HitScorerToken, placeScorer } from './query/search/hit-scores.js';
import { RankerToken } from './query/search/ranker.js';
import { SearchToken } from './query/search/search-service.js';
import { SymbolsToken } from './query/symbols/symbol-service.js';
import type { StatusService } from './query/status/status-service.js';
import { VisibleStatusService, VisibleStatusToken } from './query/status/visible-status.js';
import { SourceFinderToken } from './sources/connectors/source-finder.js';
import { SourceTreeToken } from './sources/connectors/source-tree.js';
import { SyncPermission } from './sources/registration/sync-permission.js';
import { SourceErrors } from './sources/visibility/source-errors.js';
import { VisibleGenerations } from './sources/visibility/visible-generations.js';
import { VisiblePaths, VisiblePathsToken } from './sources/visibility/visible-paths.js';
import { VisibleSources } from './sources/visibility/visible-sources.js';
import { EmbeddingToken, GrepGateToken, LanguageModelToken, QueryGateToken } from './tokens.js';

/** The number of different paths whose services are kept. Each has its own caches. */
const maxVisibilities = 100;

/** The services that answer from visible sources only. */
interface VisibleServices extends Pick<Services, 'search' | 'ask' | 'symbols'> {
  readonly grep: Pick<GrepService, 'grep'>;
  readonly read: Pick<ReadService, 'cat' | 'head' | 'tail' | 'export'>;
  readonly browse: Pick<BrowseService, 'ls'>;
  readonly status: Pick<StatusService, 'status' | 'inspect'>;
}

/** The services as one caller may use them. */
export interface CallerServices extends Omit<Services, keyof VisibleServices>, VisibleServices {
  readonly serverStatus: Pick<StatusService, 'serverInfo'>;
  /** Null: the caller sees everything. */
  readonly visible: VisiblePaths | null;
  readonly syncPermission: SyncPermission;
}

/** Creates the services of callers. Only this class decides what a caller sees. */
export class CallerServicesFactory {
  readonly #container: DependencyContainer;
  readonly #services: Services;
  /** By their paths, the most recently used last. */
  readonly #visible = new Map<string, readonly [VisiblePaths, VisibleServices]>();

  constructor(container: DependencyContainer, services: Services) {
    this.#container = container;
    this.#services = services;
  }

  /** Returns the services that answer a caller with this access. */
  create(access: Access): CallerServices {
    const services = this.#services;
    const { status: serverStatus, connectors } = services;
    const [visible, restricted] = access.paths === null ? [null, {}] : this.#restrict(access.paths);
    return {
      ...services,
      ...restricted,
      serverStatus,
      visible,
      syncPermission: new SyncPermission(access, visible, connectors),
    };
  }

  #restrict(paths: readonly string[]): readonly [VisiblePaths, VisibleServices] {
    const key = JSON.stringify(paths);
    const known = this.#visible.get(key);
    this.#visible.delete(key);
    const visible = known?.[0] ?? new VisiblePaths(paths);
    const used = known ?? ([visible, this.#compose(visible)] as const);
    this.#visible.set(key, used);
    const [oldest] = this.#visible.keys();
    if (this.#visible.size > maxVisibilities && oldest !== undefined) this.#visible.delete(oldest);
    return used;
  }

  /**
   * Creates the services in a container that has visible sources and generations, and no others. A service with another
   * dependency on sources cannot be created.
   */
  #compose(visible: VisiblePaths): VisibleServices {
    const container = createContainer();
    const share = <T>(token: InjectionToken<T>): void =>
      registerValue(container, token, this.#container.resolve(token));
    share(LoggerToken);
    share(MetadataStoreToken);
    share(ActiveObjectsToken);
    share(SourceTreeToken);
    share(ContentsToken);
    share(CallerPoolToken);
    share(EmbeddingToken);
    share(TrainedEmbedderToken);
    share(LanguageModelToken);
    share(RankerToken);
    share(LargeJobsToken);
    share(LoadMonitorToken);
    share(QueryGateToken);
    share(GrepGateToken);
    share(LinearGrepperToken);
    share(NativeGrepperToken);
    share(WatchedSourcesToken);
    const generations = this.#container.resolve(GenerationFinderToken);
    registerValue(container, VisiblePathsToken, visible);
    registerValue(container, HitScorerToken, placeScorer);
    const sources = new VisibleSources(this.#services.connectors, visible);
    registerValue(container, SourceFinderToken, sources);
    registerValue(container, GenerationFinderToken, new VisibleGenerations(generations, visible));
    registerVisibleQueries(container);
    registerClass(container, VisibleStatusToken, VisibleStatusService);
    return {
      search: container.resolve(SearchToken),
      ask: container.resolve(AskToken),
      ...withoutSourceErrors(container, new SourceErrors(sources)),
      symbols: container.resolve(SymbolsToken),
      status: container.resolve(VisibleStatusToken),
    };
  }
}

/** Returns the services that read from sources. Their errors reveal nothing about hidden parts of a source. */
function withoutSourceErrors(
  container: DependencyContainer,
  errors: SourceErrors,
): Pick<VisibleServices, 'read' | 'browse' | 'grep'> {
  const read = container.resolve(ReadToken);
  const browse = container.resolve(BrowseToken);
  const grep = container.resolve(GrepToken);
  return {
    read: {
      cat: (query, signal) => errors.hideIn(query.path, () => read.cat(query, signal)),
      head: (query, signal) => errors.hideIn(query.path, () => read.head(query, signal)),
      tail: (query, signal) => errors.hideIn(query.path, () => read.tail(query, signal)),
      export: (query, signal) =>
        errors.hideIn(query.path, async () => {
          const exported = await read.export(query, signal);
          return { ...exported, content: errors.hideInPieces(query.path, exported.content) };
        }),
    },
    browse: { ls: (query, signal) => errors.hideIn(query.path, () => browse.ls(query, signal)) },
    // Without a path, errors of sources are notices.
    grep: {
      grep: (query, signal) =>
        query.path === undefined
          ? grep.grep(query, signal)
          : errors.hideIn(query.path, () => grep.grep(query, signal)),
    },
  };
}
