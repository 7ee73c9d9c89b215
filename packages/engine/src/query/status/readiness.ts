import {
  inject,
  injectable,
  LoggerToken,
  MetadataStoreToken,
  createToken,
  VectorIndexToken,
} from '@trove/core/di';
import { messageOf, TroveError, type Logger } from '@trove/core';
import type { VectorIndex } from '@trove/core/index';
import type { ConnectorRegistry } from '@trove/core/store';
import { resolveWithin } from '@trove/runtime';
import type { ReadyResponse } from '../../api/schemas.js';
import { GenerationsToken } from '../../generations/selection/generations.js';
import { DiskSpaceToken, type DiskSpaceService } from '../../generations/maintenance/disk-space.js';
import { ProblemLog } from '../../generations/maintenance/problem-log.js';

/** Health checks usually time out soon after this. */
const limitMs = 2000;
/** More frequent calls get the cached answer, because the endpoint needs no token. */
const cacheMs = 1000;

/** A dependency that must respond before requests can be served. */
interface Dependency {
  /** A name for messages, such as "the index". */
  readonly name: string;
  /** Throws if the dependency does not work. Must be cheap. */
  check(): Promise<unknown>;
}

/** The name of the collection with the rows of the configured embedder. */
interface OwnCollection {
  readonly own: { readonly collection: { readonly name: string } };
}

/** The token of `Readiness` in an engine's container. */
export const ReadinessToken = createToken<Readiness>('engine.readiness');

/** Checks whether the engine's dependencies respond, at most once a second and for at most two seconds. */
@injectable()
export class Readiness {
  readonly #dependencies: readonly Dependency[];
  readonly #diskSpace: Pick<DiskSpaceService, 'disks'>;
  readonly #problem: ProblemLog;
  /** Running checks. A dependency has at most one, even if it hangs. */
  readonly #running = new Map<Dependency, Promise<string | null>>();
  #verdict: Promise<readonly string[]> | null = null;

  constructor(
    @inject(MetadataStoreToken) store: { readonly sources: Pick<ConnectorRegistry, 'get'> },
    @inject(VectorIndexToken) index: Pick<VectorIndex, 'collections'>,
    @inject(GenerationsToken) { own }: OwnCollection,
    @inject(DiskSpaceToken) diskSpace: Pick<DiskSpaceService, 'disks'>,
    @inject(LoggerToken) logger: Logger,
  ) {
    const { name } = own.collection;
    this.#dependencies = [
      { name: 'the metadata database', check: () => store.sources.get('') },
      { name: 'the index', check: () => requireCollection(index, name) },
    ];
    this.#diskSpace = diskSpace;
    this.#problem = new ProblemLog(logger, { started: 'not ready', ended: 'ready again' });
  }

  /** Throws `not_ready` with the names of failed dependencies. Shows no paths, because the caller may have no token. */
  async check(): Promise<ReadyResponse> {
    this.#verdict ??= this.#check();
    const [failures, disks] = await Promise.all([this.#verdict, this.#diskSpace.disks()]);
    if (failures.length === 0) {
      const isLow = disks.some(({ state }) => state === 'low' || state === 'full');
      return { status: 'ready', warnings: isLow ? ['disk_low'] : [] };
    }
    throw new TroveError('not_ready', `No answer from ${failures.join(' and ')}`, {
      retryable: true,
      retryAfterMs: cacheMs,
    });
  }

  async #check(): Promise<readonly string[]> {
    const reasons = await Promise.all(this.#dependencies.map((each) => this.#reason(each)));
    setTimeout(() => (this.#verdict = null), cacheMs).unref();
    const failures = this.#dependencies.flatMap(({ name }, at) => {
      const reason = reasons[at] ?? null;
      return reason === null ? [] : [{ name, reason }];
    });
    const problem = failures.map(({ name, reason }) => `${name}: ${reason}`).join('; ');
    this.#problem.update(problem === '' ? null : problem);
    return failures.map(({ name }) => name);
  }

  /** Returns why a dependency does not respond; null if it does. */
  #reason(dependency: Dependency): Promise<string | null> {
    const running = this.#running.get(dependency) ?? this.#start(dependency);
    return resolveWithin(running, limitMs, `nothing within ${limitMs / 1000} s`);
  }

  #start(dependency: Dependency): Promise<string | null> {
    const running = dependency
      .check()
      .then(() => null)
      .catch(messageOf)
      .finally(() => this.#running.delete(dependency));
    this.#running.set(dependency, running);
    return running;
  }
}

/** Asks the storage itself: a query may be answered from memory. */
async function requireCollection(
  index: Pick<VectorIndex, 'collections'>,
  name: string,
): Promise<void> {
  if (!(await index.collections()).includes(name)) throw new Error(`${name} is not there`);
}
