import type { Knex } from 'knex';

import type { SqliteConnection } from './statement-cache.js';
import type { Bindings, Row, SqlStatement } from './types.js';
import { decodeRow, encodeValue } from './values.js';

/** Capacity of the cache of parsed statements. The code contains hardly more. */
const maxStatements = 500;
const namedBinding = /:(\w+)/g;

/** SQL with one `?` per name. */
interface ParsedStatement {
  readonly sql: string;
  readonly names: readonly string[];
}

const parsedStatements = new Map<string, ParsedStatement>();

/**
 * Lends a connection of the pool behind `knex`. Statements run directly on the connection, because knex costs ten times
 * the processor time of the driver.
 */
export async function onConnection<T>(
  knex: Knex,
  work: (connection: SqliteConnection) => Promise<T>,
): Promise<T> {
  const pool: unknown = knex.client;
  if (!isPool(pool)) throw new TypeError('This version of knex has no connection pool.');
  const connection = await pool.acquireConnection();
  try {
    return await work(connection);
  } finally {
    await pool.releaseConnection(connection);
  }
}

/** Runs one statement and returns its rows. */
export async function execute(
  connection: SqliteConnection,
  statement: SqlStatement,
  bindings: Bindings = {},
): Promise<Row[]> {
  const { sql, values } =
    typeof statement === 'string'
      ? bindStatement(statement, bindings)
      : compileStatement(statement);
  return new Promise((resolve, reject) => {
    connection.all(sql, values.map(encodeValue), (error, found) => {
      if (error !== null) reject(error);
      else resolve(isRowList(found) ? found.map(decodeRow) : []);
    });
  });
}

interface BoundStatement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

function bindStatement(statement: string, bindings: Bindings): BoundStatement {
  const { sql, names } = parseStatement(statement);
  const values = names.map((name) => {
    const value = bindings[name];
    if (value === undefined) throw new TypeError(`No value is given for :${name}.`);
    return value;
  });
  return { sql, values };
}

function compileStatement(statement: Exclude<SqlStatement, string>): BoundStatement {
  const { sql, bindings } = statement.toSQL();
  return { sql, values: bindings };
}

function parseStatement(statement: string): ParsedStatement {
  const known = parsedStatements.get(statement);
  if (known !== undefined) return known;
  const names = Array.from(statement.matchAll(namedBinding), ([, name = '']) => name);
  const found = { sql: statement.replace(namedBinding, '?'), names };
  if (parsedStatements.size >= maxStatements) parsedStatements.clear();
  parsedStatements.set(statement, found);
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
