import { join } from 'node:path';
import { formatUri, parseUri, relativePath } from '@trove/core';
import { defineVectorIndex } from '@trove/core/index';
import { createEngine, type Engine, type JobResponse } from '@trove/engine';
import { memoryEmbedder, MemoryVectorIndex, MemoryVectorStorage } from '@trove/testkit';
import { MetadataDatabase } from '@trove/test-support/metadata-database.js';
import { marksIn, type LawSource, type MarkedContent } from '@trove/test-support/sync-law.js';

import { engineOptions } from '../../src/engine-options.js';
import { resolveSettings } from '../../src/settings/resolve.js';

type Item = Readonly<Record<string, unknown>>;

/** An engine with the default connectors, whose index of one source can be read. */
export class SyncedIndex implements AsyncDisposable {
  readonly #source: LawSource;
  readonly #engine: Engine;
  readonly #database: MetadataDatabase;
  readonly #storage: MemoryVectorStorage;

  private constructor(
    source: LawSource,
    engine: Engine,
    database: MetadataDatabase,
    storage: MemoryVectorStorage,
  ) {
    this.#source = source;
    this.#engine = engine;
    this.#database = database;
    this.#storage = storage;
  }

  /** Opens an engine with an empty index. `home`: an absent folder. */
  static async open(source: LawSource, home: string): Promise<SyncedIndex> {
    const database = new MetadataDatabase();
    const storage = new MemoryVectorStorage();
    const index = defineVectorIndex({
      keys: ['memory'],
      configSchema: { type: 'object', properties: {}, additionalProperties: false },
      create: () => new MemoryVectorIndex(storage),
    });
    const engine = await createEngine({
      ...engineOptions(resolveSettings({}, { home })),
      metadata: { backend: 'sqlite' },
      transformationCache: null,
      artifactCache: { path: join(home, 'artifacts'), maxBytes: 1e8 },
      index: { uri: 'memory://index' },
      embedding: { provider: 'memory' },
      plugins: [database.plugin(), memoryEmbedder(), index],
    });
    return new SyncedIndex(source, engine, database, storage);
  }

  /** Syncs the source. Throws unless the sync succeeds. */
  async sync({ isFull = false } = {}): Promise<JobResponse> {
    const { target, config } = this.#source;
    const { job_id: id } = await this.#engine.add({
      target,
      ...(config === undefined ? {} : { config }),
      full: isFull,
      process: true,
    });
    const job = await this.#engine.waitForJob(id);
    if (job.status !== 'succeeded') throw new Error(`The sync failed: ${JSON.stringify(job)}`);
    return job;
  }

  /** Removes the source, and syncs it as a new one. */
  async crawl(): Promise<void> {
    const { target } = this.#source;
    const { connectors } = await this.#engine.status();
    if (connectors.length > 0) await this.#engine.remove({ target });
    await this.sync();
  }

  /** Returns the marks of the index by path. */
  async content(): Promise<MarkedContent> {
    const objects = await this.#database.query('select path from trove_objects');
    const texts = new Map<string, string>(objects.map(({ path }) => [String(path), '']));
    const root = formatUri(parseUri(this.#source.target));
    for (const { source, content } of await this.#rows()) {
      const path = relativePath(root, source) ?? source;
      texts.set(path, `${texts.get(path) ?? ''}\n${content}`);
    }
    return Object.fromEntries([...texts].map(([path, text]) => [path, marksIn(text)]));
  }

  /** Returns everything that the index and the store hold of the source, in a fixed order. */
  async state(): Promise<Item[]> {
    const rows = await this.#rows();
    // Without the members that only the next sync compares.
    const objects = `select id, path, kind, media_type, size, modified_at, identity, content_hash, title,
      search_status, indexable, reason, chunks from trove_objects order by path`;
    const records = `select object_id, key, version, chunks, thread, is_truncated
      from trove_records order by object_id, key`;
    return [
      ...rows.map(({ vector: _, ...row }) => row),
      ...(await this.#database.query(objects)),
      ...(await this.#database.query(records)),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#engine.close();
    await this.#database.close();
  }

  async #rows() {
    const rows = [];
    for (const collection of this.#storage.collections.values())
      for (const scope of await collection.otherScopes([])) {
        const names = new Set<string>();
        await collection.groups(scope, (groups) => {
          for (const name of groups.keys()) names.add(name);
        });
        for (const name of names) rows.push(...(await collection.rows(name)));
      }
    return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
  }
}

/** Describes the members in which two states differ, because whole states are long. */
export function differences(actual: readonly Item[], expected: readonly Item[]): string[] {
  if (actual.length !== expected.length) return [`${actual.length}, not ${expected.length} items`];
  return actual.flatMap((item, at) => {
    const other = expected[at] ?? {};
    return Object.keys({ ...item, ...other }).flatMap((name) => {
      const [one, two] = [item[name], other[name]].map((value) => JSON.stringify(value) ?? '');
      const what = String(item['path'] ?? item['source'] ?? item['key']);
      return one === two ? [] : [`${what}: ${name}: ${one}, not ${two}`];
    });
  });
}
