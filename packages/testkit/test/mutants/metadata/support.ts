import type { GenerationSpec, MetadataStore } from '@trove/core/store';
import type { MetadataDatabase } from '@trove/test-support/metadata-database.js';

import type { MetadataStorePart } from '../../../src/index.js';

/** The methods of a store that are wrong. */
export type WrongMethods = Partial<Omit<MetadataStore, MetadataStorePart>> & {
  readonly [P in MetadataStorePart]?: Partial<MetadataStore[P]>;
};

type Row = Awaited<ReturnType<MetadataDatabase['query']>>[number];

/** Makes the wrong methods of a store out of a good one and the database below it. */
export type Mutant = (
  good: MetadataStore,
  database: MetadataDatabase,
  generation?: GenerationSpec,
) => WrongMethods;

export type Mutants = Readonly<Record<string, Mutant>>;

/** More than any case stores. */
export const all = 1_000_000;
/** A time that no case reaches. */
export const never = 9_000_000_000_000;
/** Long enough for other calls to read what this call has read. */
export const raceMs = 50;

/** A subselect of the number of a job; binds its id. */
export const jobNumber = '(select seq from trove_jobs where id = ?)';

/** The row of a job. */
export async function jobRow(database: MetadataDatabase, id: string): Promise<Row | undefined> {
  const [row] = await database.query('select * from trove_jobs where id = ?', id);
  return row;
}

/** The row of the connector of a job. */
export async function connectorRow(
  database: MetadataDatabase,
  jobId: string,
): Promise<Row | undefined> {
  const [row] = await database.query(
    `select c.* from trove_connectors c join trove_jobs j
      on j.namespace = c.namespace and j.connector_id = c.id where j.id = ?`,
    jobId,
  );
  return row;
}

/** Whether a worker holds a job under a lease that has not expired. */
export async function isHeld(
  database: MetadataDatabase,
  jobId: string,
  worker: string,
): Promise<boolean> {
  const job = await jobRow(database, jobId);
  return job?.['status'] === 'running' && job['worker'] === worker && isAhead(job['lease_until']);
}

function isAhead(time: unknown): boolean {
  return typeof time === 'number' && time > Date.now();
}

type Table = 'trove_objects' | 'trove_records' | 'trove_summaries' | 'trove_known_parts';

/** Runs a change, and puts the rows back that it deletes from a table. */
export async function keepingRows<T>(
  database: MetadataDatabase,
  table: Table,
  change: () => Promise<T>,
): Promise<T> {
  const rows = await database.query(`select * from ${table}`);
  const changed = await change();
  for (const row of rows) await insert(database, table, row);
  return changed;
}

/** The rows of a connector in a table survive its deletion, and belong to the connector that is registered next. */
export function survivingRows(
  good: MetadataStore,
  database: MetadataDatabase,
  table: Table,
): WrongMethods {
  let kept: Row[] = [];
  const numberOf = `(select seq from trove_connectors where id = ?)`;
  return {
    sources: {
      delete: async (id) => {
        kept = await database.query(`select * from ${table} where connector = ${numberOf}`, id);
        await good.sources.delete(id);
      },
      register: async (connector) => {
        const record = await good.sources.register(connector);
        const [row] = await database.query(`select ${numberOf} as seq`, connector.id);
        for (const each of kept)
          await insert(database, table, { ...each, connector: row?.['seq'] });
        kept = [];
        return record;
      },
    },
  };
}

async function insert(database: MetadataDatabase, table: Table, row: Row): Promise<void> {
  const columns = Object.keys(row);
  const places = columns.map(() => '?').join(', ');
  const statement = `insert or ignore into ${table} (${columns.join(', ')}) values (${places})`;
  await database.query(statement, ...Object.values(row));
}

/** Repeats a refused call until it succeeds. Makes room for it each time. */
export async function insisting<T>(
  call: () => Promise<T>,
  makeRoom: () => Promise<unknown>,
): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch {
      await makeRoom();
    }
  }
}

/** A JSON array for `json_each`. */
export function json(values: Iterable<unknown>): string {
  return JSON.stringify([...values]);
}

/** Calls that come while one is running get its result. */
export function sharing<A extends readonly unknown[], R>(
  call: (...args: A) => Promise<R>,
): (...args: A) => Promise<R> {
  let running: Promise<R> | undefined;
  return (...args) => {
    running ??= call(...args).finally(() => {
      running = undefined;
    });
    return running;
  };
}
