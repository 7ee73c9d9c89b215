import { isTroveError, TroveError, type Logger } from '@trove/core';
import type { Collection } from '@trove/core/index';
import type { GraphContent, GraphRecord } from '@trove/core/store';
import type { SharedServices } from '@trove/runtime';
import { openCollection, vectorSpecOf, type GraphPart } from './collections.js';
import { GenerationNames } from './generation-names.js';
import { GraphLease, leaseLost } from './lease.js';
import { Staging } from './staging.js';
import { Sweeper } from './sweeper.js';

type StorageDependencies = Pick<
  SharedServices,
  'store' | 'index' | 'embedding' | 'logger' | 'signal'
>;

/** Stores graphs. The metadata store names the active generation, and the index contains its rows. */
export class GraphStorage {
  readonly #dependencies: StorageDependencies;
  readonly #logger: Logger;
  readonly sweeper: Sweeper;

  readonly #names: GenerationNames;

  constructor(dependencies: StorageDependencies, machineId: string) {
    this.#dependencies = dependencies;
    this.#names = new GenerationNames(machineId);
    this.#logger = dependencies.logger;
    const { store, index, embedding, logger, signal } = dependencies;
    this.sweeper = new Sweeper(
      store.graphs,
      index,
      vectorSpecOf(embedding.facts),
      logger,
      signal,
      this.#names,
    );
  }

  graphs(): Promise<GraphRecord[]> {
    return this.#dependencies.store.graphs.list();
  }

  /** Throws `not_found`. */
  async graph(name: string): Promise<GraphRecord> {
    const record = await this.#dependencies.store.graphs.get(name);
    if (record === null) throw graphNotFound(name);
    return record;
  }

  /** Returns a graph, complete or not, or null. */
  find(name: string): Promise<GraphRecord | null> {
    return this.#dependencies.store.graphs.get(name);
  }

  /** Returns the names of all collections in the index. */
  async collections(): Promise<ReadonlySet<string>> {
    return new Set(await this.#dependencies.index.collections());
  }

  passages(record: GraphRecord): Promise<Collection> {
    return openCollection(this.#dependencies.index, record.name, 'passages', record);
  }

  /**
   * Writes a generation and promotes it. Leaves the graph unchanged on failure. Throws `graph_busy` and
   * `index_mismatch`.
   */
  async rebuild(
    name: string,
    signal: AbortSignal,
    write: (staging: Staging) => Promise<void>,
  ): Promise<GraphContent> {
    const { store, embedding } = this.#dependencies;
    const lease = await this.#lease(name);
    const vectors = vectorSpecOf(embedding.facts);
    let written: readonly Collection[] = [];
    try {
      const collections = await this.#openAll(name);
      written = Object.values(collections);
      const staging = new Staging(store.graphs, lease, collections, vectors, (texts, until) =>
        embedding.embedDocuments(texts, { fresh: false, signal: until }),
      );
      await write(staging);
      return await staging.commit(signal);
    } catch (error) {
      await this.#abandon(lease, written);
      throw error;
    } finally {
      lease.stopRenewal();
      this.sweeper.scheduleSweep();
    }
  }

  /** Throws `not_found` and `graph_busy`. */
  async delete(name: string): Promise<void> {
    await this.graph(name);
    const { store } = this.#dependencies;
    const lease = await this.#lease(name);
    try {
      if ((await store.graphs.get(name)) === null) throw graphNotFound(name);
      if (!(await store.graphs.empty(name, lease.generation))) throw leaseLost(name);
      await this.sweeper.clearGraph(lease);
    } catch (error) {
      this.sweeper.scheduleSweep();
      throw error;
    } finally {
      lease.stopRenewal();
      await this.#abandon(lease);
    }
    await store.graphs.deleteGeneration(lease.generation);
  }

  async #lease(name: string): Promise<GraphLease> {
    const { store } = this.#dependencies;
    const take = () => GraphLease.acquire(store.graphs, this.#logger, this.#names, name);
    try {
      return await take();
    } catch (error) {
      if (!isBusy(error)) throw error;
      // The sweeper may hold the lease briefly.
      await this.sweeper.idle();
      return take();
    }
  }

  async #openAll(name: string): Promise<Record<GraphPart, Collection>> {
    const { index, embedding } = this.#dependencies;
    const open = (part: GraphPart) =>
      openCollection(index, name, part, vectorSpecOf(embedding.facts));
    try {
      return {
        entities: await open('entities'),
        relations: await open('relations'),
        passages: await open('passages'),
      };
    } catch (error) {
      throw toMismatch(error, name);
    }
  }

  /**
   * Abandons a change. If that fails, the lease expires. Rows written after the lease was lost are removed here,
   * because the sweeper may no longer know them.
   */
  async #abandon(
    { graph, generation }: GraphLease,
    written: readonly Collection[] = [],
  ): Promise<void> {
    const { store } = this.#dependencies;
    try {
      await store.graphs.abandon(graph, generation);
      // The promotion may have succeeded although its answer was lost.
      if ((await store.graphs.get(graph))?.generation === generation) return;
      for (const collection of written) await collection.removeScope(generation);
    } catch (error) {
      this.#logger.warn('a change of a graph could not be abandoned', { error: String(error) });
    }
  }
}

function graphNotFound(name: string): TroveError {
  return new TroveError('not_found', `The graph ${name} does not exist`, {
    suggestions: ['List the graphs, or add documents to create it.'],
  });
}

function isBusy(error: unknown): boolean {
  return isTroveError(error) && error.code === 'graph_busy';
}

function toMismatch(error: unknown, name: string): unknown {
  if (!isTroveError(error) || error.code !== 'index_mismatch') return error;
  return new TroveError('index_mismatch', `The graph ${name} was built with another embedder`, {
    suggestions: [
      'Delete the graph and build it again, use another name, or configure its embedder again.',
    ],
    cause: error,
  });
}
