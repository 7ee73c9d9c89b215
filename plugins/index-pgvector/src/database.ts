import { TroveError, type Logger } from '@trove/core';
import type { CollectionSpec, VectorIndex } from '@trove/core/index';
import type { IndexLimits } from './index-limits.js';
import { PgCollection } from './collection.js';
import { ConnectionPool, type ConnectionOptions, type PgSession } from './connections.js';
import { requireExtension } from './extension.js';
import {
  catalogueTable,
  createCatalogue,
  createTables,
  dropTables,
  layoutVersion,
  maxDimensions,
  tablesOf,
  type CollectionTables,
} from './tables.js';

/** An arbitrary lock key, equal in every process. Creating and dropping tables requires this lock. */
const exclusionKey = 7_305_811_927;

const namePattern = /^[A-Za-z0-9_.-]{1,200}$/;

/** A row of the catalogue. */
interface CollectionEntry {
  readonly id: number;
  readonly layout: number;
  readonly dimension: number;
  readonly embedding: string;
}

interface OpenPgCollection {
  readonly entry: CollectionEntry;
  readonly collection: PgCollection;
}

/** The collections in a PostgreSQL database. */
export class PgVectorIndex implements VectorIndex {
  readonly #connections: ConnectionPool;
  readonly #vectorType: number;
  readonly #logger: Logger;
  readonly #limits: IndexLimits;
  readonly #open = new Map<string, Promise<OpenPgCollection>>();

  private constructor(
    connections: ConnectionPool,
    vectorType: number,
    logger: Logger,
    limits: IndexLimits,
  ) {
    this.#connections = connections;
    this.#vectorType = vectorType;
    this.#logger = logger;
    this.#limits = limits;
  }

  /** Creates the extension and the catalogue if they are missing. */
  static async connect(
    uri: string,
    options: ConnectionOptions,
    logger: Logger,
    limits: IndexLimits = {},
  ): Promise<PgVectorIndex> {
    const connections = new ConnectionPool(uri, options, logger);
    try {
      const vectorType = await connections.transaction(async (session) => {
        await exclude(session);
        const type = await requireExtension(session);
        await session.all(createCatalogue);
        return type;
      });
      return new PgVectorIndex(connections, vectorType, logger, limits);
    } catch (error) {
      await connections.close();
      throw error;
    }
  }

  async collection(spec: CollectionSpec): Promise<PgCollection> {
    checkSpec(spec);
    await this.#releaseIfGone(spec.name);
    const { collection, entry } = await (this.#open.get(spec.name) ?? this.#start(spec));
    if (!holds(entry, spec)) throw mismatch(spec, entry);
    if (await this.#recreate(entry, spec)) await collection.lookForGraph();
    return collection;
  }

  /**
   * Recreates all tables of a collection if one was dropped, because the remaining tables do not match an empty one.
   */
  async #recreate({ id }: CollectionEntry, spec: CollectionSpec): Promise<boolean> {
    const tables = tablesOf(id);
    if (await this.#connections.use((session) => tablesExist(session, tables))) return false;
    return this.#connections.transaction(async (session) => {
      await exclude(session);
      // Another process may have recreated the tables first.
      if (await tablesExist(session, tables)) return false;
      const statements = [...dropTables(tables), ...createTables(tables, spec)];
      for (const statement of statements) await session.all(statement);
      this.#logger.warn('tables of the index were missing and have been recreated', {
        collection: spec.name,
      });
      return true;
    });
  }

  async collections(): Promise<string[]> {
    const rows = await this.#connections.use((session) =>
      session.all(`select name from ${catalogueTable} order by name`),
    );
    return rows.map(({ name }) => String(name));
  }

  async drop(name: string): Promise<void> {
    await this.#release(name);
    await this.#connections.transaction(async (session) => {
      await exclude(session);
      const [row] = await session.all(
        `delete from ${catalogueTable} where name = $1 returning id`,
        [name],
      );
      if (row === undefined) return;
      for (const statement of dropTables(tablesOf(Number(row['id'])))) await session.all(statement);
    });
    // Another call may have opened it again during the drop.
    await this.#releaseIfGone(name);
  }

  async size(): Promise<number> {
    const [row] = await this.#connections.use((session) =>
      session.all(
        `select coalesce(sum(pg_total_relation_size(c.oid)), 0)::float8 as bytes from pg_class c
         where c.relkind = 'r' and pg_table_is_visible(c.oid) and c.relname like 'trove\\_index\\_%'`,
      ),
    );
    return Number(row?.['bytes']);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((name) => this.#release(name)));
    await this.#connections.close();
  }

  #start(spec: CollectionSpec): Promise<OpenPgCollection> {
    const opening = this.#openCollection(spec);
    this.#open.set(spec.name, opening);
    // Removes a failed start, so the next call tries again.
    opening.catch(() => {
      if (this.#open.get(spec.name) === opening) this.#open.delete(spec.name);
    });
    return opening;
  }

  async #openCollection(spec: CollectionSpec): Promise<OpenPgCollection> {
    const entry =
      (await this.#connections.use((session) => findEntry(session, spec.name))) ??
      (await this.#connections.transaction((session) => createEntry(session, spec)));
    if (!holds(entry, spec)) throw mismatch(spec, entry);
    const place = { tables: tablesOf(entry.id), vectorType: this.#vectorType };
    const collection = new PgCollection(
      this.#connections,
      place,
      { ...spec, id: entry.id },
      this.#limits,
      this.#logger,
    );
    await collection.lookForGraph();
    return { entry, collection };
  }

  /** Another process may have dropped and recreated the collection. */
  async #releaseIfGone(name: string): Promise<void> {
    const opening = this.#open.get(name);
    const opened = await opening?.catch(() => undefined);
    if (opened === undefined) return;
    const entry = await this.#connections.use((session) => findEntry(session, name));
    if (entry?.id === opened.entry.id) return;
    if (this.#open.get(name) === opening) await this.#release(name);
  }

  async #release(name: string): Promise<void> {
    const opening = this.#open.get(name);
    this.#open.delete(name);
    const opened = await opening?.catch(() => undefined);
    await opened?.collection.close();
  }
}

async function exclude(session: PgSession): Promise<void> {
  await session.all('select pg_advisory_xact_lock($1)', [exclusionKey]);
}

async function tablesExist(
  session: PgSession,
  { graph: _, ...tables }: CollectionTables,
): Promise<boolean> {
  const [row] = await session.all(
    'select bool_and(to_regclass(name) is not null) as all_are from unnest($1::text[]) as name',
    [Object.values(tables)],
  );
  return row?.['all_are'] === true;
}

async function findEntry(session: PgSession, name: string): Promise<CollectionEntry | null> {
  const [row] = await session.all(
    `select id, layout, dimension, embedding from ${catalogueTable} where name = $1`,
    [name],
  );
  if (row === undefined) return null;
  return {
    id: Number(row['id']),
    layout: Number(row['layout']),
    dimension: Number(row['dimension']),
    embedding: String(row['embedding']),
  };
}

/** Another process may have created the entry first. */
async function createEntry(session: PgSession, spec: CollectionSpec): Promise<CollectionEntry> {
  await exclude(session);
  const known = await findEntry(session, spec.name);
  if (known !== null) return known;
  const { name, dimension, embedding } = spec;
  const [row] = await session.all(
    `insert into ${catalogueTable} (name, layout, dimension, embedding) values ($1, $2, $3, $4)
     returning id`,
    [name, layoutVersion, dimension, embedding],
  );
  const id = Number(row?.['id']);
  for (const statement of createTables(tablesOf(id), spec)) await session.all(statement);
  return { id, layout: layoutVersion, dimension, embedding };
}

function checkSpec({ name, dimension }: CollectionSpec): void {
  if (!namePattern.test(name)) {
    throw new TroveError(
      'validation_error',
      `collection: the name must match ${namePattern.source}`,
    );
  }
  if (dimension > maxDimensions) {
    throw new TroveError(
      'config_invalid',
      `PostgreSQL's pgvector holds vectors of at most ${maxDimensions} dimensions, not of ${dimension}`,
      { suggestions: ['Set a smaller `dimension` in [embedding], or use another index.'] },
    );
  }
}

function holds({ layout, dimension, embedding }: CollectionEntry, spec: CollectionSpec): boolean {
  return layout === layoutVersion && dimension === spec.dimension && embedding === spec.embedding;
}

function mismatch(spec: CollectionSpec, { layout, embedding }: CollectionEntry): TroveError {
  const now = layout === layoutVersion ? `vectors of ${embedding}` : 'tables of another version';
  return new TroveError(
    'index_mismatch',
    `The collection ${spec.name} holds ${now}, not vectors of ${spec.embedding}`,
    {
      suggestions: [
        'Go back to that embedder, or set `[index].uri` to an empty database and add the sources again.',
      ],
    },
  );
}
