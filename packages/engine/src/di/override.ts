import { isTroveError, messageOf, TroveError, type Logger } from '@trove/core';
import {
  createContainer,
  instanceCachingFactory,
  Lifecycle,
  LoggerToken,
  type DependencyContainer,
  type InjectionToken,
} from '@trove/core/di';
import { ChunkerToken, type ChunkerModule } from '../content/chunking/chunker.js';
import { asFound, RankerToken, type Ranker } from '../query/search/ranker.js';

const windowAtMost = 1000;

/** How a service is made: it is there, it is an instance of a class with injected parameters, or a function makes it. */
export type Provider<T> =
  | { readonly useValue: T }
  // oxlint-disable-next-line typescript/no-explicit-any -- what a class takes is injected
  | { readonly useClass: new (...dependencies: any[]) => T }
  | { readonly useFactory: (get: <D>(dependency: InjectionToken<D>) => D) => T };

/** A service of the engine, and what takes its place. */
export interface Override {
  readonly token: InjectionToken<unknown>;
  readonly provider: Provider<unknown>;
}

/** For the option `override`: `provide(RankerToken, { useValue: ranker })`. */
export function provide<T>(replaced: InjectionToken<T>, provider: Provider<T>): Override {
  return { token: replaced, provider };
}

/** The services of an engine that an application may replace. */
export interface Replaceable {
  readonly logger: Logger;
  readonly ranker: Ranker;
  readonly chunker: ChunkerModule | null;
}

/** The defaults, or what takes their place. Throws `config_invalid`. */
export function replaceable(logger: Logger, override: readonly Override[] = []): Replaceable {
  const container = createContainer();
  register(container, provide(LoggerToken, { useValue: logger }));
  register(container, provide(RankerToken, { useValue: asFound }));
  register(container, provide(ChunkerToken, { useValue: null }));
  for (const each of override) {
    if (!container.isRegistered(each.token)) throw notReplaceable(each.token);
    register(container, each);
  }
  const ranker = resolve(container, RankerToken);
  const chunker = resolve(container, ChunkerToken);
  assertRanker(ranker);
  assertChunker(chunker);
  return { logger: resolve(container, LoggerToken), ranker, chunker };
}

/** What is registered last counts. */
function register(container: DependencyContainer, { token, provider }: Override): void {
  if ('useClass' in provider) {
    const { useClass } = provider;
    container.register(token, { useClass }, { lifecycle: Lifecycle.ContainerScoped });
  } else if ('useFactory' in provider) {
    const make = instanceCachingFactory(() =>
      provider.useFactory((dependency) => container.resolve(dependency)),
    );
    container.register(token, { useFactory: make });
  } else {
    // The container takes null for no value at all.
    container.register(token, { useFactory: () => provider.useValue });
  }
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
  if (typeof rank !== 'function') throw invalid('a ranker has a method `rank`');
  if (Number.isSafeInteger(window) && window >= 0 && window <= windowAtMost) return;
  throw invalid(`the \`window\` of a ranker is a whole number from 0 to ${windowAtMost}`);
}

function assertChunker(chunker: ChunkerModule | null): void {
  if (chunker === null) return;
  const { module, version } = chunker;
  if (typeof module === 'string' && typeof version === 'string') return;
  throw invalid('a chunker is the text `module` of a module and the text `version`');
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
  return typeof token === 'symbol' ? (token.description ?? 'a token') : 'what is no token of it';
}
