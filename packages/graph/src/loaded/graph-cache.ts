import type { GraphRecord } from '@trove/core/store';
import { rejectOnAbort } from '@trove/runtime';
import type { GraphStorage } from '../storage/graph-storage.js';
import { LoadedGraph } from './loaded-graph.js';

/** Keeps recently used generations of graphs in memory, up to a number of bytes. */
export class GraphCache {
  readonly #storage: GraphStorage;
  readonly #maxBytes: number;
  readonly #signal: AbortSignal;
  /** By generation, the most recently used last. */
  readonly #loaded = new Map<string, LoadedGraph>();
  readonly #loading = new Map<string, Promise<LoadedGraph>>();
  /** Graphs load one by one, so at most one exceeds the limit. */
  #lastLoad: Promise<void> = Promise.resolve();

  constructor(storage: GraphStorage, maxBytes: number, signal: AbortSignal) {
    this.#storage = storage;
    this.#maxBytes = maxBytes;
    this.#signal = signal;
  }

  /** Returns the current generation of a graph, which does not change while it is used. Throws `not_found`. */
  async get(name: string, signal: AbortSignal): Promise<LoadedGraph> {
    for (;;) {
      const record = await this.#storage.graph(name);
      try {
        return await rejectOnAbort(this.#load(record), signal);
      } catch (error) {
        // A replaced generation may disappear while it is read.
        const now = await this.#storage.graph(name);
        if (now.generation === record.generation) throw error;
      }
    }
  }

  /** Evicts a deleted graph. */
  evict(name: string): void {
    for (const [key, { record }] of this.#loaded) {
      if (record.name === name) this.#loaded.delete(key);
    }
  }

  #load(record: GraphRecord): Promise<LoadedGraph> {
    const { generation } = record;
    const known = this.#loaded.get(generation);
    if (known !== undefined) {
      this.#keep(known);
      return Promise.resolve(known);
    }
    return this.#loading.get(generation) ?? this.#start(record);
  }

  #start(record: GraphRecord): Promise<LoadedGraph> {
    const { generation } = record;
    const before = this.#lastLoad;
    const loading = this.#storage.sweeper
      .withReader(generation, async () => {
        await before;
        const collection = await this.#storage.passages(record);
        return LoadedGraph.load(record, collection, this.#signal);
      })
      .then((loaded) => {
        this.#keep(loaded);
        return loaded;
      })
      .finally(() => this.#loading.delete(generation));
    this.#loading.set(generation, loading);
    this.#lastLoad = loading.then(
      () => undefined,
      () => undefined,
    );
    return loading;
  }

  /** Marks a graph as most recently used. Evicts its earlier generations and graphs beyond the limit. */
  #keep(loaded: LoadedGraph): void {
    const { name, generation, builtAt } = loaded.record;
    this.#loaded.delete(generation);
    this.#loaded.set(generation, loaded);
    let bytes = 0;
    for (const [key, each] of [...this.#loaded].reverse()) {
      bytes += each.bytes;
      const isEarlier = each.record.name === name && each.record.builtAt < builtAt;
      if (each !== loaded && (isEarlier || bytes > this.#maxBytes)) this.#loaded.delete(key);
    }
  }
}
