import { isIdentifier, mayBeKey } from '@trove/connector-kit';

import { primaryKeyOf, sqlNameOf, type SqliteTable } from './catalog.js';
import { quoteIdentifier } from './names.js';
import type { SqliteReader } from './reader.js';
import { joinBalanced, unfitForKeySqlOf } from './values.js';

/** The order and key for reading a table. All texts are SQL, except the names of the key. */
export interface ReadPlan {
  readonly from: string;
  /** Expressions for the columns of the table, in their order. */
  readonly columns: readonly string[];
  /** Columns that are unique together and sorted by an index. */
  readonly order: readonly string[];
  readonly key: SqliteKey;
  readonly isCopy: boolean;
}

export interface SqliteKey {
  readonly names: readonly string[];
  readonly columns: readonly string[];
}

/** Returns the key of records, or null if it is known only after copying the rows. */
export async function keyOf(reader: SqliteReader, table: SqliteTable): Promise<SqliteKey | null> {
  const names = primaryKeyOf(table);
  const columns = names.map(quoteIdentifier);
  const rowid = table.rowid;
  if (mayBeKey(names) && (await isUsableKey(reader, table, columns))) return { names, columns };
  return rowid === null ? null : { names: [rowid], columns: [rowid] };
}

/** `maxRows` is the number of rows that the caller reads. */
export async function planOf(
  reader: SqliteReader,
  table: SqliteTable,
  key: SqliteKey | null,
  maxRows = Infinity,
): Promise<ReadPlan> {
  if (key === null) return planOfCopy(reader, table, maxRows);
  const columns = table.columns.map(({ name }) => quoteIdentifier(name));
  const order = table.rowid === null ? key.columns : [table.rowid];
  return { from: sqlNameOf(table), columns, order, key, isCopy: false };
}

/** Copies a view into a temporary table, because SQLite would compute the whole view again for each page. */
async function planOfCopy(
  reader: SqliteReader,
  table: SqliteTable,
  maxRows: number,
): Promise<ReadPlan> {
  const columns = table.columns.map((_, at) => `c${at}`);
  const names = table.columns.map(({ name }) => quoteIdentifier(name)).join(', ');
  const limit = maxRows === Infinity ? '' : ` limit ${maxRows}`;
  await reader.copy(columns.length, `select ${names} from ${sqlNameOf(table)}${limit}`);
  const copy = { from: 'temp.copy', columns, order: ['rowid'], isCopy: true };
  const at = table.columns.findIndex(({ name }) => isIdentifier(name));
  const [name, column] = [table.columns[at]?.name, columns[at]];
  if (name !== undefined && column !== undefined && (await isUnique(reader, column)))
    return { ...copy, key: { names: [name], columns: [column] } };
  return { ...copy, key: { names: ['row'], columns: ['rowid'] } };
}

/** Checks the values, because SQLite allows nulls, long texts and bytes in a primary key. An INTEGER PRIMARY KEY is the rowid. */
async function isUsableKey(
  reader: SqliteReader,
  { columns: all, rowid, kind, ...table }: SqliteTable,
  columns: readonly string[],
): Promise<boolean> {
  const [firstColumn, ...others] = all.filter(({ inKey }) => inKey > 0);
  const isRowid =
    rowid !== null && others.length === 0 && firstColumn?.type.toUpperCase() === 'INTEGER';
  if (isRowid && kind === 'table') return true;
  const isUnfit = joinBalanced(columns.map(unfitForKeySqlOf), 'or');
  return (
    (await reader.query(`select 1 from ${sqlNameOf(table)} where ${isUnfit} limit 1`)).length === 0
  );
}

async function isUnique(reader: SqliteReader, column: string): Promise<boolean> {
  const violations = await reader.queryCopy(
    `select 1 from temp.copy where ${unfitForKeySqlOf(column)} limit 1`,
  );
  if (violations.length > 0) return false;
  const duplicates = await reader.queryCopy(
    `select 1 from temp.copy group by ${column} having count(*) > 1 limit 1`,
  );
  return duplicates.length === 0;
}
