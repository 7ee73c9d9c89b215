import type { Logger, Plugin } from '@trove/core';
import { defineVectorIndex, type Collection, type IndexRow } from '@trove/core/index';
import { createEngine, type Engine, type EngineOptions, type JobResponse } from '@trove/engine';
import {
  memoryConnector,
  memoryEmbedder,
  MemorySource,
  MemoryVectorIndex,
  MemoryVectorStorage,
  type MemoryConnectorOptions,
  type MemoryEmbedderFaults,
} from '@trove/testkit';
import { MetadataDatabase } from '@trove/test-support/metadata-database.js';

/** A source and an index in memory, and a database. They outlive the engines opened on them. */
export class World {
  readonly source = new MemorySource();
  readonly storage = new MemoryVectorStorage();
  readonly faults: MemoryEmbedderFaults = {};
  readonly embedder = memoryEmbedder({ faults: this.faults });
  readonly database = new MetadataDatabase();
  readonly store = this.database.plugin();
  readonly log: string[] = [];

  open(
    options: Partial<EngineOptions> & { connector?: MemoryConnectorOptions } = {},
  ): Promise<Engine> {
    const { connector, plugins = [], ...rest } = options;
    return createEngine({
      metadata: { backend: 'sqlite' },
      index: { uri: 'memory://index' },
      embedding: { provider: 'memory' },
      logger: this.#logger(),
      ...rest,
      plugins: [...plugins, ...this.#plugins(connector)],
    });
  }

  /** Returns all rows of the index, ordered by id. */
  async rows(): Promise<IndexRow[]> {
    const rows: IndexRow[] = [];
    for (const collection of this.storage.collections.values()) {
      const names = new Set<string>();
      for (const scope of await collection.otherScopes([]))
        await collection.groups(scope, (groups) => {
          for (const name of groups.keys()) names.add(name);
        });
      for (const name of names) rows.push(...(await collection.rows(name)));
    }
    return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  #plugins(connector: MemoryConnectorOptions | undefined): Plugin[] {
    const index = defineVectorIndex({
      keys: ['memory'],
      configSchema: { type: 'object', properties: {}, additionalProperties: false },
      create: () => new MemoryVectorIndex(this.storage),
    });
    return [memoryConnector(this.source, connector), this.store, this.embedder, index];
  }

  #logger(): Logger {
    const write =
      (level: string): Logger['info'] =>
      (message, fields) =>
        void this.log.push(`${level} ${message} ${JSON.stringify(fields ?? {})}`);
    return {
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
    };
  }
}

/** An index (`altered://index`) whose collections a test alters before the engine uses them. */
export function alteredIndex(
  storage: MemoryVectorStorage,
  alter: (collection: Collection) => void,
): Plugin {
  return defineVectorIndex({
    keys: ['altered'],
    configSchema: { type: 'object' },
    create: () => {
      const index = new MemoryVectorIndex(storage);
      const open = index.collection.bind(index);
      index.collection = async (spec) => {
        const collection = await open(spec);
        alter(collection);
        return collection;
      };
      return index;
    },
  });
}

export const root = 'memory://local';

/** Syncs the memory source and returns its ended job. */
export async function sync(
  engine: Engine,
  request: Partial<Parameters<Engine['add']>[0]> = {},
): Promise<JobResponse> {
  const { job_id: id } = await engine.add({ target: root, process: true, ...request });
  return engine.job(id);
}

/** Returns the sources of the hits of a query, best first. */
export async function found(
  engine: Engine,
  q: string,
  mode: 'hybrid' | 'semantic' | 'keyword' = 'keyword',
): Promise<string[]> {
  const { results } = await engine.search({ q, mode });
  return results.map(({ source }) => source);
}
