import { isTroveError, messageOf, TroveError, type Logger } from '@trove/core';
import {
  ArtifactCacheToken,
  ClockToken,
  createContainer,
  EmbedderToken,
  LanguageModelToken,
  LoggerToken,
  MetadataStoreToken,
  RerankerToken,
  TransformationCacheToken,
  VectorIndexToken,
  type Clock,
  type DependencyContainer,
  type InjectionToken,
} from '@trove/core/di';
import type { VectorIndex } from '@trove/core/index';
import type { Embedder, LanguageModel, Reranker } from '@trove/core/model';
import type { ArtifactCache, MetadataStore, TransformationCache } from '@trove/core/store';
import { ChunkerToken, type ChunkerModule } from '../content/chunking/chunker.js';
import { systemClock } from '../generations/scheduling/clock.js';
import { noRanking, RankerToken, type Ranker } from '../query/search/ranker.js';
import {
  registerClass,
  registerFactory,
  registerValue,
  type Get,
  type InjectedClass,
} from './registration.js';

const maxWindow = 1000;

/** How a service is made: from an existing value, from a class with injected parameters, or by a function. */
export type Provider<T> =
  | { readonly useValue: T }
  | { readonly useClass: InjectedClass<T> }
  | { readonly useFactory: (get: Get) => T };

/** A service of the engine, and its replacement. */
export interface Override {
  readonly token: InjectionToken<unknown>;
  readonly provider: Provider<unknown>;
}

/** For the option `override`: `provide(RankerToken, { useValue: ranker })`. */
export function provide<T>(replaced: InjectionToken<T>, provider: Provider<T>): Override {
  return { token: replaced, provider };
}

/** Instances that replace plugins. Undefined: the plugin that the options name is opened. */
export interface Instances {
  readonly store: MetadataStore | undefined;
  /** Null: computed embeddings are not cached. */
  readonly cache: TransformationCache | null | undefined;
  /** Null: converted documents are not cached. */
  readonly artifacts: ArtifactCache | null | undefined;
  readonly index: VectorIndex | undefined;
  readonly embedder: Embedder | undefined;
  readonly languageModel: LanguageModel | undefined;
  /** Null: hits are not ranked a second time. */
  readonly reranker: Reranker | null | undefined;
}

/** The services of an engine that an application may replace. */
export interface ReplaceableServices {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly ranker: Ranker;
  readonly chunker: ChunkerModule | null;
  readonly instances: Instances;
}

/** Tokens without a default. Without an override, a plugin provides the service. */
const pluginTokens: readonly InjectionToken<unknown>[] = [
  MetadataStoreToken,
  TransformationCacheToken,
  ArtifactCacheToken,
  VectorIndexToken,
  EmbedderToken,
  LanguageModelToken,
  RerankerToken,
];

/** Returns the default services, or their replacements. Throws `config_invalid`. */
export function applyOverrides(
  logger: Logger,
  override: readonly Override[] = [],
): ReplaceableServices {
  const container = createContainer();
  registerValue(container, LoggerToken, logger);
  registerValue(container, ClockToken, systemClock);
  registerValue(container, RankerToken, noRanking);
  registerValue(container, ChunkerToken, null);
  for (const each of override) {
    const isKnown = container.isRegistered(each.token) || pluginTokens.includes(each.token);
    if (!isKnown) throw notReplaceable(each.token);
    register(container, each);
  }
  const ranker = resolve(container, RankerToken);
  const chunker = resolve(container, ChunkerToken);
  const clock = resolve(container, ClockToken);
  assertRanker(ranker);
  assertChunker(chunker);
  assertClock(clock);
  const given = <T>(token: InjectionToken<T>): T | undefined =>
    container.isRegistered(token) ? resolve(container, token) : undefined;
  return {
    logger: resolve(container, LoggerToken),
    clock,
    ranker,
    chunker,
    instances: {
      store: given(MetadataStoreToken),
      cache: given(TransformationCacheToken),
      artifacts: given(ArtifactCacheToken),
      index: given(VectorIndexToken),
      embedder: given(EmbedderToken),
      languageModel: given(LanguageModelToken),
      reranker: given(RerankerToken),
    },
  };
}

/** Registers an override. The last registration of a token counts. */
function register(container: DependencyContainer, { token, provider }: Override): void {
  if ('useClass' in provider) registerClass(container, token, provider.useClass);
  else if ('useFactory' in provider) registerFactory(container, token, provider.useFactory);
  else registerValue(container, token, provider.useValue);
}

function resolve<T>(container: DependencyContainer, token: InjectionToken<T>): T {
  try {
    return container.resolve(token);
  } catch (cause) {
    if (isTroveError(cause)) throw cause;
    const reason = messageOf(cause);
    throw new TroveError('config_invalid', `override: ${nameOf(token)}: ${reason}`, { cause });
  }
}

function assertRanker({ window, rank }: Ranker): void {
  if (typeof rank !== 'function') throw invalid('a ranker needs a method `rank`');
  if (Number.isSafeInteger(window) && window >= 0 && window <= maxWindow) return;
  throw invalid(`the \`window\` of a ranker is a whole number from 0 to ${maxWindow}`);
}

function assertChunker(chunker: ChunkerModule | null): void {
  if (chunker === null) return;
  const { module, version } = chunker;
  if (typeof module === 'string' && typeof version === 'string') return;
  throw invalid('a chunker needs the texts `module` and `version`');
}

function assertClock({ now, wait }: Clock): void {
  if (typeof now === 'function' && typeof wait === 'function') return;
  throw invalid('a clock needs the functions `now` and `wait`');
}

function invalid(problem: string): TroveError {
  return new TroveError('config_invalid', `override: ${problem}`);
}

function notReplaceable(token: InjectionToken<unknown>): TroveError {
  return new TroveError('config_invalid', `override: ${nameOf(token)} cannot be replaced`, {
    suggestions: ['Use `provide` with one of the tokens of @trove/engine/di.'],
  });
}

function nameOf(token: InjectionToken<unknown>): string {
  return typeof token === 'symbol'
    ? (token.description ?? 'a token')
    : 'a value that is not a token';
}
