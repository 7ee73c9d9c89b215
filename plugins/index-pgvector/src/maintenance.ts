import type { Logger } from '@trove/core';
import type { CollectionSpec } from '@trove/core/index';
import { statementTimeout, type ConnectionPool, type PgSession } from './connections.js';
import type { IndexLimits } from './index-limits.js';
import { mergeSegments, type MergeExtent } from './merge.js';
import type { ReplaceCounts } from './replace.js';
import { maxGraphDimensions, type CollectionTables } from './tables.js';

/** Maintenance holds this lock with the number of the collection, so only one process maintains it. */
const lockClass = 730_581_192;

/** Below this number, searches compare all vectors, because a graph slows down each write. */
const defaultMinGraphRows = 100_000;
/** A load adds segments faster than jobs end. From this number on, the process merges them during the load. */
const maxSegments = 16;
/** Memory for building the graph. The build becomes much slower when it exceeds this. */
const buildMemory = '512MB';
/** How long a check for the graph of another process stays valid. */
const graphCheckMs = 60_000;

/** Keeps searches of a collection fast: merges segments, builds the graph and reclaims space. */
export class PgMaintenance {
  readonly #connections: ConnectionPool;
  readonly #tables: CollectionTables;
  readonly #id: number;
  readonly #canHaveGraph: boolean;
  readonly #minGraphRows: number;
  readonly #concurrently: string;
  readonly #logger: Logger;
  #running: Promise<void> | null = null;
  #segments = 0;
  #hasGraph = false;
  #looked = -Infinity;
  #isClosed = false;

  constructor(
    connections: ConnectionPool,
    tables: CollectionTables,
    { id, dimension }: Pick<CollectionSpec, 'dimension'> & { readonly id: number },
    { minGraphRows = defaultMinGraphRows, blocksWrites = false }: IndexLimits,
    logger: Logger,
  ) {
    this.#connections = connections;
    this.#tables = tables;
    this.#id = id;
    this.#canHaveGraph = dimension <= maxGraphDimensions;
    this.#minGraphRows = minGraphRows;
    this.#concurrently = blocksWrites ? '' : 'concurrently';
    this.#logger = logger;
  }

  /** Whether searches should use the graph, as far as this process knows. */
  get hasGraph(): boolean {
    if (this.#canHaveGraph && performance.now() - this.#looked > graphCheckMs) {
      this.#looked = performance.now();
      this.findGraph().catch(() => undefined);
    }
    return this.#hasGraph;
  }

  async findGraph(): Promise<void> {
    this.#looked = performance.now();
    this.#hasGraph = await this.#connections.use((session) => isBuilt(session, this.#tables.graph));
  }

  /** Call after every change. Merges the segments of a long load before its job ends. */
  changed({ parts }: ReplaceCounts): void {
    this.#segments += parts;
    if (this.#segments < maxSegments || this.#isClosed) return;
    this.#segments = 0;
    this.#once((session) => this.#merge(session)).catch((error: unknown) =>
      this.#logger.warn('merging segments of the index failed', { error: String(error) }),
    );
  }

  /** Returns at once if another process maintains the collection. */
  optimize(): Promise<void> {
    return this.#once(async (session) => {
      await this.#merge(session);
      if (await this.#wantsGraph(session)) await this.#buildGraph(session);
    });
  }

  /** Merges all segments into one without removed rows. The database reuses the space of dead rows. */
  async compact(): Promise<void> {
    await this.#running?.catch(() => undefined);
    await this.#once((session) => this.#merge(session, 'all'));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running?.catch(() => undefined);
  }

  /** Calls during a run wait for its end. Later writes are left to the next run. */
  #once(work: (session: PgSession) => Promise<void>): Promise<void> {
    this.#running ??= this.#locked(work).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  #locked(work: (session: PgSession) => Promise<void>): Promise<void> {
    return this.#connections.use(async (session) => {
      const key = [lockClass, this.#id];
      const [row] = await session.all('select pg_try_advisory_lock($1, $2) as held', key);
      if (row?.['held'] !== true) return;
      // Reset only after success, because a connection whose work failed is closed.
      await session.all('set statement_timeout = 0');
      await work(session);
      await session.all(`set statement_timeout = '${statementTimeout}'`);
      await session.all('select pg_advisory_unlock($1, $2)', key);
    });
  }

  async #merge(session: PgSession, extent: MergeExtent = 'some'): Promise<void> {
    if (!(await mergeSegments(session, this.#tables, extent))) return;
    const { chunks, vectors, postings, segments, removed, totals } = this.#tables;
    for (const table of [chunks, vectors, postings, segments, removed, totals]) {
      await session.all(`vacuum (analyze) ${table}`);
    }
  }

  async #wantsGraph(session: PgSession): Promise<boolean> {
    if (!this.#canHaveGraph || this.#hasGraph) return false;
    const { vectors } = this.#tables;
    const [row] = await session.all(
      `select count(*)::integer as count from (select 1 from ${vectors} limit $1) as sample`,
      [this.#minGraphRows],
    );
    return Number(row?.['count']) >= this.#minGraphRows;
  }

  /** Builds without blocking writers. The result of an interrupted build is dropped. */
  async #buildGraph(session: PgSession): Promise<void> {
    const { graph, vectors } = this.#tables;
    if (!(await isBuilt(session, graph))) {
      await session.all(`drop index ${this.#concurrently} if exists ${graph}`);
      await session.all(`set maintenance_work_mem = '${buildMemory}'`);
      await session.all(
        `create index ${this.#concurrently} ${graph} on ${vectors} using hnsw (vector halfvec_ip_ops)`,
      );
      await session.all('reset maintenance_work_mem');
    }
    this.#hasGraph = true;
  }
}

async function isBuilt(session: PgSession, graph: string): Promise<boolean> {
  const rows = await session.all(
    'select 1 from pg_index where indexrelid = to_regclass($1) and indisvalid',
    [graph],
  );
  return rows.length > 0;
}
