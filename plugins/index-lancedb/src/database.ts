import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Connection } from '@lancedb/lancedb';
import { isTroveError, TroveError, type Logger } from '@trove/core';
import type {
  CollectionSpec,
  IndexSnapshotOptions,
  VectorIndex,
  VectorIndexContext,
} from '@trove/core/index';
import type { Workers } from '@trove/core/workers';
import { Builder } from './builder.js';
import { LanceCollection } from './collection.js';
import { checkCommits, isInternalTable } from './commit-check.js';
import { quarantineVersions, quarantineTable } from './quarantine.js';
import { toArrow } from './encode-rows.js';
import { folderSize } from './folder-size.js';
import {
  translateErrors,
  hasLostFiles,
  isBeingCreated,
  isTableMissing,
  tableExists,
  retryWhile,
} from './failures.js';
import { ensureTextIndices } from './indices.js';
import { loadLance, type LanceModule } from './lance.js';
import { connect, connectionOptions, type DatabaseOptions } from './location.js';
import { storeOf, type LanceConfig } from './object-store.js';
import { Recovery } from './recovery.js';
import { snapshotTables } from './snapshot.js';
import { sentinelSlot, tombstone } from './rows.js';
import { closeBoth, openPair, TableHandle, type TablePair } from './table-handle.js';
import { createdKey, holds, readIdentity, tableSchema } from './table-schema.js';

const mib = 1024 ** 2;

/**
 * The native library splits its cache into parts, four per processor, and keeps nothing larger than a part. Of a million
 * rows, it keeps words of 30 MB and vectors of 8 MB each in one part.
 */
const indexCacheBytesPerProcessor = 4 * 128 * mib;
const minIndexCacheBytes = 384 * mib;

/**
 * Size of the index cache, at most an eighth of the machine's memory. Indexes of a million rows fill about 500 MB of it. A
 * query that finds less in memory rereads the rest and takes thirty times as long.
 */
const indexCacheBytes = Math.round(
  Math.max(
    minIndexCacheBytes,
    Math.min(totalmem() / 8, availableParallelism() * indexCacheBytesPerProcessor),
  ),
);

/** The metadata of a million rows take about 60 MB. A query that finds less in memory reads its rows at ten times the cost. */
const metadataCacheBytes = 128 * mib;

const caches = { indices: indexCacheBytes, metadata: metadataCacheBytes };

const namesPerPage = 1000;
/** Creating a table takes milliseconds, or some seconds on a busy machine. */
const maxCreationMs = 3000;

/** Names that LanceDB accepts, except names of internal tables. */
const namePattern = /^(?!trove\.store\.)[A-Za-z0-9_.-]{1,200}$/;

interface ConnectOptions extends Pick<
  VectorIndexContext<LanceConfig>,
  'uri' | 'logger' | 'workers'
> {
  readonly config?: LanceConfig;
}

/** A LanceDB database: a folder, an object store or LanceDB Cloud. */
export class LanceIndex implements VectorIndex {
  readonly #lance: LanceModule;
  readonly #options: DatabaseOptions;
  readonly #connection: Connection;
  readonly #folder: string | null;
  readonly #logger: Logger;
  readonly #workers: Workers;
  readonly #open = new Map<string, Promise<OpenLanceCollection>>();

  private constructor(
    lance: LanceModule,
    options: DatabaseOptions,
    connection: Connection,
    folder: string | null,
    logger: Logger,
    workers: Workers,
  ) {
    this.#lance = lance;
    this.#options = options;
    this.#connection = connection;
    this.#folder = folder;
    this.#logger = logger;
    this.#workers = workers;
  }

  static async connect({ uri, config = {}, logger, workers }: ConnectOptions): Promise<LanceIndex> {
    const options = await connectionOptions(uri, config);
    const lance = loadLance();
    const openConnection = (): Promise<Connection> => connect(lance, options, caches);
    const connection = await translateErrors('be opened', openConnection);
    const store = storeOf(uri, config);
    if (store !== null) {
      await translateErrors('be checked', () =>
        checkCommits(store, connection, openConnection),
      ).catch((error: unknown) => {
        connection.close();
        throw error;
      });
    }
    const folder = isAbsolute(options.uri) ? options.uri : null;
    return new LanceIndex(lance, options, connection, folder, logger, workers);
  }

  async collection(spec: CollectionSpec): Promise<LanceCollection> {
    if (!namePattern.test(spec.name)) {
      throw new TroveError(
        'validation_error',
        `collection: the name must match ${namePattern.source}`,
      );
    }
    const opened = await (this.#open.get(spec.name) ?? this.#start(spec));
    if (!isSame(opened.spec, spec)) {
      await this.#releaseIfGone(spec.name);
      if (this.#open.has(spec.name)) throw mismatch(spec, opened.spec.embedding);
      return this.collection(spec);
    }
    // Another process may have dropped and recreated the table.
    if (await isGone(opened)) await translateErrors('be opened', () => this.#restore(opened));
    return opened.collection;
  }

  async collections(): Promise<string[]> {
    return translateErrors('be listed', async () => {
      const names: string[] = [];
      for (;;) {
        const startAfter = names.at(-1);
        const page = await this.#connection.tableNames({
          limit: namesPerPage,
          ...(startAfter === undefined ? {} : { startAfter }),
        });
        names.push(...page);
        if (page.length < namesPerPage) return names.filter((name) => !isInternalTable(name));
      }
    });
  }

  async drop(name: string): Promise<void> {
    await this.#release(name);
    if (!(await this.collections()).includes(name)) return;
    await translateErrors('be dropped', () => this.#connection.dropTable(name));
    // Another call may have opened it again during the drop.
    await this.#releaseIfGone(name);
  }

  /** Returns the size of the folder, or elsewhere the size of the current versions of open tables. */
  async size(): Promise<number> {
    if (this.#folder !== null) return folderSize(this.#folder);
    const opened = await Promise.all(this.#open.values());
    const sizes = await Promise.all(opened.map(({ collection }) => collection.size()));
    return sizes.reduce((sum, bytes) => sum + bytes, 0);
  }

  async snapshot(target: string, options: IndexSnapshotOptions): Promise<void> {
    const folder = this.#folder;
    if (folder === null)
      throw new TroveError('not_supported', 'An index on an object store has no snapshots');
    await translateErrors('be copied', () => snapshotTables(folder, target, options));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((name) => this.#release(name)));
    this.#connection.close();
  }

  #start(spec: CollectionSpec): Promise<OpenLanceCollection> {
    const opening = translateErrors('be opened', () =>
      retryWhile(() => this.#openOrRestart(spec), isBeingCreated),
    );
    this.#open.set(spec.name, opening);
    // Removes a failed start, so the next call tries again.
    opening.catch(() => {
      if (this.#open.get(spec.name) === opening) this.#open.delete(spec.name);
    });
    return opening;
  }

  /** Recreates the missing table of an open collection. */
  async #restore({ spec, table }: OpenLanceCollection): Promise<void> {
    await this.#ensureTable(spec);
    await table.renew().catch(async (error: unknown) => {
      const folder = this.#folderOf(spec.name);
      if (folder === null || !hasLostFiles(error)) throw error;
      await this.#replaceTable(spec, folder);
      await table.renew();
    });
  }

  /** Opens a table. Restores a damaged one to its last complete version, or replaces it by an empty one. */
  async #openOrRestart(spec: CollectionSpec): Promise<OpenLanceCollection> {
    try {
      return await this.#openTable(spec);
    } catch (error) {
      const folder = this.#folderOf(spec.name);
      if (folder === null || isTroveError(error)) throw error;
      // The caller retries: a replacement would take the files of the process that creates the table.
      if (isBeingCreated(error) && (await isNew(folder))) throw error;
      const aside = await quarantineVersions(folder);
      if (aside !== null) return this.#openRestored(spec, folder, aside);
      if (!hasLostFiles(error)) throw error;
      await this.#replaceTable(spec, folder);
      return this.#openTable(spec);
    }
  }

  async #replaceTable(spec: CollectionSpec, folder: string, aside?: string): Promise<void> {
    const damaged = await quarantineTable(folder, aside);
    await this.#ensureTable(spec);
    this.#logger.error(
      'Files of the index were damaged or missing, and it is empty now. The next syncs index the sources again. If it belongs to a graph, build the graph again from its documents.',
      { collection: spec.name, damaged },
    );
  }

  async #replaceOpen(spec: CollectionSpec, folder: string, table: TableHandle): Promise<void> {
    await this.#replaceTable(spec, folder);
    await table.renew();
  }

  async #openRestored(
    spec: CollectionSpec,
    folder: string,
    aside: string,
  ): Promise<OpenLanceCollection> {
    try {
      const opened = await this.#openTable(spec);
      this.#logger.error(
        'A power cut damaged the index, which lost its last changes. The next syncs index the sources again. If it belongs to a graph, build the graph again from its documents.',
        { collection: spec.name, damaged: aside },
      );
      return opened;
    } catch (error) {
      if (isTroveError(error)) throw error;
      await this.#replaceTable(spec, folder, aside);
      return this.#openTable(spec);
    }
  }

  #folderOf(name: string): string | null {
    return this.#folder === null ? null : join(this.#folder, `${name}.lance`);
  }

  async #openTable(spec: CollectionSpec): Promise<OpenLanceCollection> {
    await this.#ensureTable(spec);
    const folder = this.#folderOf(spec.name);
    const table = await TableHandle.open(() => this.#openUsable(spec), folder);
    const builder = new Builder(this.#lance, this.#options, spec.name, this.#workers);
    const recovery = new Recovery(
      table,
      folder === null ? null : () => this.#replaceOpen(spec, folder, table),
    );
    const collection = new LanceCollection(
      this.#lance,
      { table, recovery, folder },
      builder,
      spec,
      this.#logger,
    );
    return { spec, table, collection };
  }

  async #ensureTable(spec: CollectionSpec): Promise<void> {
    if ((await this.collections()).includes(spec.name)) return;
    try {
      const table = await this.#connection.createTable(spec.name, await firstRows(spec), {
        // Indexes and keys then remain valid when compaction moves rows.
        storageOptions: { new_table_enable_stable_row_ids: 'true' },
      });
      table.close();
    } catch (error) {
      if (!tableExists(error)) throw error;
    }
  }

  /** Throws `index_mismatch` when the table has another dimension or embedding. */
  async #openUsable(spec: CollectionSpec): Promise<TablePair> {
    const pair = await this.#openWithOwnCaches(spec.name);
    try {
      const identity = readIdentity((await pair.latest.schema()).metadata);
      if (!holds(identity, spec)) throw mismatch(spec, identity?.embedding);
      await ensureTextIndices(this.#lance, pair.latest);
      return pair;
    } catch (error) {
      closeBoth(pair);
      throw error;
    }
  }

  /** Tables of one connection share its caches. */
  async #openWithOwnCaches(name: string): Promise<TablePair> {
    const connection = await connect(this.#lance, this.#options, caches);
    try {
      return await openPair(connection, name);
    } finally {
      connection.close();
    }
  }

  /** Another process may have dropped and recreated the table. */
  async #releaseIfGone(name: string): Promise<void> {
    const opening = this.#open.get(name);
    const opened = await opening?.catch(() => undefined);
    if (opened === undefined || !(await isGone(opened))) return;
    if (this.#open.get(name) === opening) await this.#release(name);
  }

  async #release(name: string): Promise<void> {
    const opening = this.#open.get(name);
    this.#open.delete(name);
    const opened = await opening?.catch(() => undefined);
    await opened?.collection.close();
  }
}

/**
 * A table starts with one permanent row, so that its text indexes are never empty. With an empty index, the store
 * truncates keyword hits before sorting them.
 */
function firstRows(spec: CollectionSpec): ReturnType<typeof toArrow> {
  const { arrow } = loadLance();
  const { fields, metadata } = tableSchema(spec);
  const created = new Map([...metadata, [createdKey, randomUUID()]]);
  return toArrow([tombstone(sentinelSlot, '')], new arrow.Schema(fields, created));
}

/** Whether another process may still be creating a table. */
async function isNew(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => null);
  return found !== null && Date.now() - found.birthtimeMs < maxCreationMs;
}

/** Whether the table is missing or another one. Other faults show at the next use. */
async function isGone({ table }: OpenLanceCollection): Promise<boolean> {
  try {
    return await table.isReplaced();
  } catch (error) {
    return isTableMissing(error);
  }
}

interface OpenLanceCollection {
  /** The spec at opening. */
  readonly spec: CollectionSpec;
  readonly table: TableHandle;
  readonly collection: LanceCollection;
}

function isSame(one: CollectionSpec, other: CollectionSpec): boolean {
  return one.dimension === other.dimension && one.embedding === other.embedding;
}

function mismatch(spec: CollectionSpec, found: string | undefined): TroveError {
  const holdsNow = found === undefined ? 'something else' : `vectors of ${found}`;
  return new TroveError(
    'index_mismatch',
    `The collection ${spec.name} holds ${holdsNow}, not vectors of ${spec.embedding}`,
  );
}
