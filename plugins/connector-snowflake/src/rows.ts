import { isShortened } from '@trove/connector-kit';
import type { TableScan } from '@trove/connector-kit/sql';

import type { SnowflakeApi } from './api.js';
import type { SnowflakeTable } from './catalog.js';
import { quoteIdentifier } from './location.js';
import { valueOf } from './values.js';

/** Yields the rows of a table or view. The warehouse reads them. */
export async function* scanRows(
  api: SnowflakeApi,
  database: string,
  table: SnowflakeTable,
  { offset, limit, key }: TableScan,
  signal: AbortSignal,
): AsyncGenerator<readonly unknown[]> {
  const condition = conditionOf(table, key);
  const sql = [
    `select * from ${quoteIdentifier(database, table.schema, table.name)}`,
    condition.sql,
    // A range needs an order, which costs more than reading everything.
    limit !== Infinity && table.key !== null ? `order by ${quoteAll(table.key)}` : '',
    limit === Infinity && offset === 0 ? '' : `limit ${limit === Infinity ? 'null' : limit}`,
    offset === 0 ? '' : `offset ${offset}`,
  ];
  const statement = sql.filter((part) => part !== '').join(' ');
  for await (const { columns, rows } of api.run(statement, condition.values, signal)) {
    // A column that was added meanwhile comes last, so names decide.
    const indexes = table.columns.map((name) => columns.findIndex((each) => each.name === name));
    for (const row of rows)
      yield indexes.map((at) => {
        const column = columns[at];
        return column === undefined ? null : valueOf(column, row[at] ?? null);
      });
  }
}

/** Returns a condition for the row with a key, if SQL writes the key as its JSON value. */
function conditionOf(
  { key: columns, columnTypes }: SnowflakeTable,
  key: TableScan['key'],
): { readonly sql: string; readonly values: readonly string[] } {
  const isSimple = (name: string): boolean =>
    columnTypes.some(
      ({ name: each, type, scale }) =>
        each === name && (type === 'TEXT' || (type === 'FIXED' && scale === 0)),
    ) &&
    key?.[name] !== null &&
    !isShortened(key?.[name] ?? null);
  if (key === undefined || columns === null || !columns.every(isSimple))
    return { sql: '', values: [] };
  const conditions = columns.map((name) => `to_varchar(${quoteIdentifier(name)}) = ?`);
  return {
    sql: `where ${conditions.join(' and ')}`,
    values: columns.map((name) => String(key[name])),
  };
}

function quoteAll(names: readonly string[]): string {
  return names.map((name) => quoteIdentifier(name)).join(', ');
}
