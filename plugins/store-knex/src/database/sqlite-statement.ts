import type { Knex } from 'knex';

import type { SqliteConnection } from './kept-statements.js';
import type { Bindings, Row, Statement } from './types.js';
import { decodeRow, encodeValue } from './values.js';

/** Placeholders of so many texts of SQL are remembered; there are hardly more. */
const REMEMBERED_AT_MOST = 500;
const NAMED = /:(\w+)/g;

/** SQL with a `?` for each of the names. */
interface Placed {
  readonly sql: string;
  readonly names: readonly string[];
}

const remembered = new Map<string, Placed>();

/**
 * Lends a connection of the pool behind `knex`. Statements run on the connection itself: through knex, one costs the
 * event loop ten times as much as the driver takes for it.
 */
export async function onConnection<T>(
  knex: Knex,
  work: (connection: SqliteConnection) => Promise<T>,
): Promise<T> {
  const pool: unknown = knex.client;
  if (!isPool(pool)) throw new TypeError('This version of knex has no pool of connections.');
  const connection = await pool.acquireConnection();
  try {
    return await work(connection);
  } finally {
    await pool.releaseConnection(connection);
  }
}

/** Runs one statement, and returns the rows that it has. */
export async function execute(
  connection: SqliteConnection,
  statement: Statement,
  bindings: Bindings = {},
): Promise<Row[]> {
  const { sql, values } =
    typeof statement === 'string' ? bound(statement, bindings) : built(statement);
  return new Promise((resolve, reject) => {
    connection.all(sql, values.map(encodeValue), (error, found) => {
      if (error !== null) reject(error);
      else resolve(isRowList(found) ? found.map(decodeRow) : []);
    });
  });
}

interface Bound {
  readonly sql: string;
  readonly values: readonly unknown[];
}

function bound(statement: string, bindings: Bindings): Bound {
  const { sql, names } = placed(statement);
  const values = names.map((name) => {
    const value = bindings[name];
    if (value === undefined) throw new TypeError(`No value is given for :${name}.`);
    return value;
  });
  return { sql, values };
}

function built(statement: Exclude<Statement, string>): Bound {
  const { sql, bindings } = statement.toSQL();
  return { sql, values: bindings };
}

function placed(statement: string): Placed {
  const known = remembered.get(statement);
  if (known !== undefined) return known;
  const names = Array.from(statement.matchAll(NAMED), ([, name = '']) => name);
  const found = { sql: statement.replace(NAMED, '?'), names };
  if (remembered.size >= REMEMBERED_AT_MOST) remembered.clear();
  remembered.set(statement, found);
  return found;
}

interface Pool {
  acquireConnection(): Promise<SqliteConnection>;
  releaseConnection(connection: SqliteConnection): Promise<void>;
}

function isPool(client: unknown): client is Pool {
  return (
    typeof client === 'object' &&
    client !== null &&
    'acquireConnection' in client &&
    'releaseConnection' in client
  );
}

function isRowList(found: unknown): found is Record<string, unknown>[] {
  return Array.isArray(found);
}
