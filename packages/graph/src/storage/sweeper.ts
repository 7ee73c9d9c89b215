import { isTroveError, TroveError, type Logger } from '@trove/core';
import type { Collection, VectorIndex } from '@trove/core/index';
import type { GraphCatalog } from '@trove/core/store';
import {
  collectionName,
  openCollection,
  graphParts,
  type GraphPart,
  type VectorSpec,
} from './collections.js';
import type { GenerationNames } from './generation-names.js';
import { GraphLease } from './lease.js';

/** Removes replaced generations and the remains of interrupted changes. */
export class Sweeper {
  readonly #graphs: GraphCatalog;
  readonly #index: VectorIndex;
  /** The vectors of graphs built by this process. */
  readonly #vectors: VectorSpec;
  readonly #logger: Logger;
  readonly #signal: AbortSignal;
  readonly #names: GenerationNames;
  /** Number of readers of each generation. */
  readonly #readers = new Map<string, number>();
  #isClosed = false;
  #sweeping: Promise<void> | null = null;
  #isRequested = false;

  constructor(
    graphs: GraphCatalog,
    index: VectorIndex,
    vectors: VectorSpec,
    logger: Logger,
    signal: AbortSignal,
    names: GenerationNames,
  ) {
    this.#graphs = graphs;
    this.#index = index;
    this.#vectors = vectors;
    this.#logger = logger;
    this.#signal = signal;
    this.#names = names;
  }

  /** Keeps a generation while `read` runs. */
  async withReader<T>(generation: string, read: () => Promise<T>): Promise<T> {
    this.#readers.set(generation, (this.#readers.get(generation) ?? 0) + 1);
    try {
      return await read();
    } finally {
      const others = (this.#readers.get(generation) ?? 1) - 1;
      if (others > 0) this.#readers.set(generation, others);
      else this.#readers.delete(generation);
    }
  }

  /** Sweeps in the background, one sweep at a time. Failed sweeps are repeated later. */
  scheduleSweep(): void {
    if (this.#isStopped) return;
    this.#isRequested = true;
    this.#sweeping ??= this.#sweepAll().finally(() => {
      this.#sweeping = null;
      if (this.#isRequested) this.scheduleSweep();
    });
  }

  /** Stops sweeping. The next start removes the rest. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.idle();
  }

  /** Resolves when no sweep is running. */
  async idle(): Promise<void> {
    while (this.#sweeping !== null) await this.#sweeping;
  }

  /** Removes the remains of an empty graph while its lease is held. Throws `graph_busy` if the lease is lost. */
  async clearGraph({ graph, signal }: GraphLease): Promise<void> {
    const obsolete = await this.#graphs.obsoleteGenerations();
    for (const { generation } of obsolete.filter((each) => each.graph === graph)) {
      signal.throwIfAborted();
      await this.#remove(graph, generation);
    }
    await this.#drop(graph, signal);
  }

  async #sweepAll(): Promise<void> {
    while (this.#isRequested && !this.#isStopped) {
      this.#isRequested = false;
      try {
        await this.#sweep();
      } catch (error) {
        if (this.#isStopped) return;
        this.#logger.warn('sweeping graphs failed', { error: String(error) });
      }
    }
  }

  async #sweep(): Promise<void> {
    const obsolete = await this.#graphs.obsoleteGenerations();
    for (const { graph, generation } of obsolete) {
      this.#throwIfClosed();
      if (!this.#readers.has(generation)) await this.#remove(graph, generation);
    }
    for (const graph of new Set(obsolete.map((each) => each.graph))) {
      if ((await this.#graphs.get(graph)) === null) await this.#dropLeftovers(graph);
    }
  }

  async #remove(graph: string, generation: string): Promise<void> {
    for (const part of graphParts) {
      const collection = await this.#existing(graph, part);
      if (collection === null) continue;
      await collection.removeScope(generation);
      this.#throwIfClosed();
      await collection.optimize();
      this.#throwIfClosed();
    }
    await this.#graphs.deleteGeneration(generation);
  }

  get #isStopped(): boolean {
    return this.#isClosed || this.#signal.aborted;
  }

  #throwIfClosed(): void {
    if (this.#isStopped) throw new TroveError('engine_closed', 'The engine is closed');
  }

  async #existing(graph: string, part: GraphPart): Promise<Collection | null> {
    if (!(await this.#index.collections()).includes(collectionName(graph, part))) return null;
    const current = await this.#graphs.get(graph);
    try {
      return await openCollection(this.#index, graph, part, current ?? this.#vectors);
    } catch (error) {
      if (current !== null || !isTroveError(error) || error.code !== 'index_mismatch') throw error;
      // It holds no rows of this namespace. It may belong to another namespace with another embedder.
      return null;
    }
  }

  /** Drops the collections of a graph that was never built or only partly deleted. */
  async #dropLeftovers(graph: string): Promise<void> {
    const lease = await this.#tryAcquire(graph);
    if (lease === null) return;
    try {
      if ((await this.#graphs.get(graph)) === null) await this.#drop(graph, lease.signal);
    } finally {
      lease.stopRenewal();
      await this.#graphs.abandon(graph, lease.generation);
      await this.#graphs.deleteGeneration(lease.generation);
    }
  }

  async #tryAcquire(graph: string): Promise<GraphLease | null> {
    try {
      return await GraphLease.acquire(this.#graphs, this.#logger, this.#names, graph);
    } catch (error) {
      if (isTroveError(error) && error.code === 'graph_busy') return null;
      throw error;
    }
  }

  /** Keeps collections with rows, because another namespace may have a graph of the same name. */
  async #drop(graph: string, lease: AbortSignal): Promise<void> {
    for (const part of graphParts) {
      const collection = await this.#existing(graph, part);
      if (collection === null || (await collection.count()) > 0) continue;
      lease.throwIfAborted();
      await this.#index.drop(collectionName(graph, part));
    }
  }
}
