import { isTroveError, messageOf } from '@trove/core';
import { codeOf, type Table } from '@trove/connector-kit';

import type { SqliteConfig } from './config.js';
import { quoteIdentifier } from './names.js';
import type { SqliteRow } from './protocol.js';
import type { SqliteReader } from './reader.js';

export interface SqliteColumn {
  readonly name: string;
  /** The declared type, or ''. */
  readonly type: string;
  readonly nullable: boolean;
  readonly default: string | null;
  /** Its position in the primary key, starting at 1. 0 for other columns. */
  readonly inKey: number;
}

/** A table or a view. */
export interface SqliteTable extends Table {
  readonly name: string;
  readonly kind: 'table' | 'view' | 'virtual';
  readonly withoutRowid: boolean;
  readonly columns: readonly SqliteColumn[];
  /** The name of the rowid. Null if there is none, or if columns use all its names. */
  readonly rowid: string | null;
}

/** The only schema of a file. */
const schema = 'main';

const rowidNames = ['rowid', '_rowid_', 'oid'];
/** The value of `hidden` in `table_xinfo` for columns that `select *` omits. */
const hidden = 1;

/** Returns the included tables and views, ordered by name. */
export async function tablesOf(reader: SqliteReader, config: SqliteConfig): Promise<SqliteTable[]> {
  const rows = await listTables(reader);
  const tables: SqliteTable[] = [];
  for (const row of rows) if (isIncluded(row, config)) tables.push(await tableOf(reader, row));
  return tables;
}

/** Returns the table with these names, or null. */
export async function findTable(
  reader: SqliteReader,
  config: SqliteConfig,
  [schemaName, tableName]: readonly string[],
): Promise<SqliteTable | null> {
  if (schemaName !== schema) return null;
  const rows = await listTables(reader);
  const row = rows.find(({ name }) => name === tableName);
  return row !== undefined && isIncluded(row, config) ? tableOf(reader, row) : null;
}

function isIncluded({ name, type }: SqliteRow, { tables, views }: SqliteConfig): boolean {
  return (tables.length === 0 || tables.includes(String(name))) && (views || type !== 'view');
}

/** Returns the names of all tables and views. */
export async function listTableNames(reader: SqliteReader): Promise<string[]> {
  return (await listTables(reader)).map((row) => String(row['name']));
}

function listTables(reader: SqliteReader): Promise<SqliteRow[]> {
  return reader.query(
    `select name, type, wr, (select sql from sqlite_schema s where s.name = t.name) as sql
     from pragma_table_list t
     where schema = 'main' and type <> 'shadow' and name not like 'sqlite\\_%' escape '\\'
     order by name`,
  );
}

async function tableOf(reader: SqliteReader, row: SqliteRow): Promise<SqliteTable> {
  const name = String(row['name']);
  const kind = row['type'] === 'view' || row['type'] === 'virtual' ? row['type'] : 'table';
  const names = [schema, name];
  const base = { names, name, kind, withoutRowid: row['wr'] === 1 } as const;
  try {
    const columns = await columnsOf(reader, name);
    const columnNames = new Set(columns.map((column) => column.name.toLowerCase()));
    const hasRowid = kind !== 'view' && !base.withoutRowid;
    const rowid = hasRowid ? (rowidNames.find((each) => !columnNames.has(each)) ?? null) : null;
    return { ...base, columns, rowid, skip: copyReasonOf(kind, row['sql']) };
  } catch (error) {
    // The module is not installed, or a view refers to a missing table. A retry would not help.
    if (!isTroveError(error) || codeOf(error.cause) !== 'SQLITE_ERROR') throw error;
    const reason = messageOf(error.cause).replace(/^SQLITE_ERROR: /, '');
    return { ...base, columns: [], rowid: null, skip: `it cannot be read: ${reason}` };
  }
}

async function columnsOf(reader: SqliteReader, table: string): Promise<SqliteColumn[]> {
  const rows = await reader.query(
    'select name, type, "notnull", dflt_value, pk, hidden from pragma_table_xinfo($table)',
    { $table: table },
  );
  return rows
    .filter((row) => row['hidden'] !== hidden)
    .map((row) => ({
      name: String(row['name']),
      type: String(row['type']),
      nullable: row['notnull'] === 0,
      default: typeof row['dflt_value'] === 'string' ? row['dflt_value'] : null,
      inKey: Number(row['pk']),
    }));
}

/** Returns a reason to skip a full-text index over another table, because it has no texts of its own. */
function copyReasonOf(kind: string, sql: unknown): string | null {
  if (kind !== 'virtual') return null;
  // Two searches avoid the quadratic time of a single pattern.
  const statement = String(sql);
  const module = statement.search(/\bfts[345]\b/i);
  const isCopy = module !== -1 && /\bcontent\s*=/i.test(statement.slice(module));
  return isCopy ? 'it is an index of another table, without texts of its own' : null;
}

/** Returns the column names of the primary key in its order. */
export function primaryKeyOf({ columns }: Pick<SqliteTable, 'columns'>): string[] {
  return columns
    .filter(({ inKey }) => inKey > 0)
    .sort((a, b) => a.inKey - b.inKey)
    .map(({ name }) => name);
}

/** Returns the qualified and quoted name of a table. */
export function sqlNameOf({ name }: Pick<SqliteTable, 'name'>): string {
  return `${schema}.${quoteIdentifier(name)}`;
}
