import type { GraphRecord } from '@trove/core/store';
import { rejectOnAbort } from '@trove/runtime';
import type { GraphStorage } from '../storage/graph-storage.js';
import { LoadedGraph } from './loaded-graph.js';

/** The generations of graphs that are in memory: at most so many bytes, those used last. */
export class GraphCache {
  readonly #storage: GraphStorage;
  readonly #maxBytes: number;
  readonly #signal: AbortSignal;
  /** By generation, the one used last at the end. */
  readonly #loaded = new Map<string, LoadedGraph>();
  readonly #loading = new Map<string, Promise<LoadedGraph>>();
  /** Graphs are loaded one at a time, so that no more than one is beyond the limit. */
  #turn: Promise<void> = Promise.resolve();

  constructor(storage: GraphStorage, maxBytes: number, signal: AbortSignal) {
    this.#storage = storage;
    this.#maxBytes = maxBytes;
    this.#signal = signal;
  }

  /** The graph as it is now; it stays what it is while it is used. Throws `not_found`. */
  async get(name: string, signal: AbortSignal): Promise<LoadedGraph> {
    for (;;) {
      const record = await this.#storage.graph(name);
      try {
        return await rejectOnAbort(this.#load(record), signal);
      } catch (error) {
        // What was replaced meanwhile may have been removed while it was read.
        const now = await this.#storage.graph(name);
        if (now.generation === record.generation) throw error;
      }
    }
  }

  /** After a graph was deleted. */
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
    const before = this.#turn;
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
    this.#turn = loading.then(
      () => undefined,
      () => undefined,
    );
    return loading;
  }

  /** Makes it the one used last, and forgets its predecessors and what is too much. */
  #keep(loaded: LoadedGraph): void {
    const { name, generation, builtAt } = loaded.record;
    this.#loaded.delete(generation);
    this.#loaded.set(generation, loaded);
    let bytes = 0;
    for (const [key, each] of [...this.#loaded].reverse()) {
      bytes += each.bytes;
      const isFormer = each.record.name === name && each.record.builtAt < builtAt;
      if (each !== loaded && (isFormer || bytes > this.#maxBytes)) this.#loaded.delete(key);
    }
  }
}
