import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { TroveError } from '@trove/core';

import { migrate } from '../database/migrate.js';
import type { Database, StoreSession } from '../database/types.js';
import { text } from '../database/values.js';
import { migrations } from '../metadata/schema.js';
import { expireLeases } from './expire-leases.js';
import { revokeTokens, schemaOf } from './revoke-tokens.js';

/** Tables that others refer to come first. */
const firstTables = [
  'trove_namespaces',
  'trove_generations',
  'trove_connectors',
  'trove_jobs',
] as const;
/** The vector index and the cache may be in the same database. */
const otherPrefixes = ['trove_cache', 'trove_index', 'trove_metadata_migrations'] as const;
const pageSize = 500;
/** A page may have fewer rows, because some rows are large. */
const maxPageChars = 4_000_000;

/** The first line of a snapshot. */
interface Header {
  readonly format: 'trove metadata';
  readonly schema: number;
}

/** Writes the metadata of one moment as lines of JSON: a header, then for each table its name and its rows. */
export async function writeSnapshot(db: Database, file: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await db.write(async (session) => {
      await session.run('set transaction isolation level repeatable read, read only');
      const header: Header = { format: 'trove metadata', schema: await schemaOf(session) };
      await handle.write(`${JSON.stringify(header)}\n`);
      for (const table of await tablesOf(session)) {
        await handle.write(`${JSON.stringify({ table })}\n`);
        await session.run(
          `declare trove_rows cursor for select row_to_json(r)::text as row from ${table} r`,
        );
        for (;;) {
          const rows = await session.all(`fetch ${pageSize} from trove_rows`);
          if (rows.length === 0) break;
          await handle.write(rows.map((row) => `${text(row, 'row')}\n`).join(''));
        }
        await session.run('close trove_rows');
      }
    });
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Fills an empty database with a snapshot, in one transaction. Returns the names of the revoked tokens. Throws
 * `storage_unavailable` if the database is not empty.
 */
export async function readSnapshot(
  db: Database,
  file: string,
  { keepTokens }: { readonly keepTokens: boolean },
): Promise<string[]> {
  const lines = linesOf(file);
  try {
    const first = await lines.next();
    const { schema } = toHeader(first.done === true ? '' : first.value);
    // Rows fit the schema that they were read from. The store migrates them when it opens.
    await migrate(db, 'metadata', migrations.slice(0, schema));
    return await db.write(async (session) => {
      await assertEmpty(session);
      await fill(session, lines);
      await continueNumbers(session);
      await expireLeases(session);
      return keepTokens ? [] : revokeTokens(session);
    });
  } finally {
    await lines.return();
  }
}

/** Yields the lines of a file. Only a line feed ends a line, because JSON may contain other line separators. */
async function* linesOf(file: string): AsyncGenerator<string, void, undefined> {
  let rest = '';
  for await (const piece of createReadStream(file, 'utf8')) {
    rest += String(piece);
    const end = rest.lastIndexOf('\n');
    if (end < 0) continue;
    yield* rest.slice(0, end).split('\n');
    rest = rest.slice(end + 1);
  }
  if (rest !== '') throw invalid('its last line is not complete');
}

async function tablesOf(session: StoreSession): Promise<string[]> {
  const rows = await session.all(
    `select tablename as name from pg_tables
      where schemaname = current_schema() and starts_with(tablename, 'trove_') order by tablename`,
  );
  const names = rows.map((row) => text(row, 'name'));
  const known = names.filter((name) => !otherPrefixes.some((prefix) => name.startsWith(prefix)));
  const first = firstTables.filter((name) => known.includes(name));
  return [...first, ...known.filter((name) => !first.some((other) => other === name))];
}

async function assertEmpty(session: StoreSession): Promise<void> {
  for (const table of await tablesOf(session)) {
    const rows = await session.all(`select 1 as one from ${table} limit 1`);
    if (rows.length === 0) continue;
    throw new TroveError('storage_unavailable', `The database is not empty: ${table} has rows.`, {
      suggestions: ['Name a new database in `[metadata].dsn`.'],
    });
  }
}

async function fill(session: StoreSession, lines: AsyncIterable<string>): Promise<void> {
  let table: string | null = null;
  let rows: string[] = [];
  let chars = 0;
  const known = new Set(await tablesOf(session));
  const flush = async (): Promise<void> => {
    if (table !== null && rows.length > 0) await insert(session, table, rows);
    rows = [];
    chars = 0;
  };
  for await (const line of lines) {
    const name = tableIn(line);
    if (name === null) {
      rows.push(line);
      chars += line.length;
      if (rows.length >= pageSize || chars >= maxPageChars) await flush();
      continue;
    }
    await flush();
    if (!known.has(name)) throw invalid(`it has the unknown table ${name}`);
    table = name;
  }
  await flush();
}

function insert(session: StoreSession, table: string, rows: readonly string[]): Promise<void> {
  return session.run(
    `insert into ${table} select * from json_populate_recordset(null::${table}, cast(:rows as json))`,
    { rows: `[${rows.join(',')}]` },
  );
}

/** Advances the sequences, so new rows get numbers after the restored ones. */
async function continueNumbers(session: StoreSession): Promise<void> {
  const columns = await session.all(
    `select table_name as name, column_name as key from information_schema.columns
      where is_identity = 'YES' and table_schema = current_schema()
        and starts_with(table_name, 'trove_')`,
  );
  const tables = new Set(await tablesOf(session));
  for (const column of columns) {
    const [name, key] = [text(column, 'name'), text(column, 'key')];
    if (!tables.has(name)) continue;
    await session.run(
      `select setval(pg_get_serial_sequence('${name}', '${key}'), max(${key})) from ${name}`,
    );
  }
}

function toHeader(line: string): Header {
  const value = parse(line);
  const { format, schema } = value;
  if (format !== 'trove metadata' || typeof schema !== 'number')
    throw invalid('its first line is not that of a snapshot');
  if (schema <= migrations.length) return { format, schema };
  throw new TroveError(
    'storage_unavailable',
    `The snapshot was written by a newer version of Trove: its schema is ${schema}, this version knows ${migrations.length}.`,
    { suggestions: ['Update Trove.'] },
  );
}

/** Returns the table that a line begins, or null for a row. No table has only the column `table`. */
function tableIn(line: string): string | null {
  if (!line.startsWith('{"table":"trove_')) return null;
  const { table, ...others } = parse(line);
  return typeof table === 'string' && Object.keys(others).length === 0 ? table : null;
}

function parse(line: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw invalid('a line is not JSON');
  }
  if (typeof value !== 'object' || value === null) throw invalid('a line is not an object');
  return { ...value };
}

function invalid(reason: string): TroveError {
  return new TroveError('storage_unavailable', `The snapshot cannot be restored: ${reason}.`);
}
