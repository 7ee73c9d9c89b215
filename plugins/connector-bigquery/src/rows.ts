import { isShortened } from '@trove/connector-kit';
import type { TableScan } from '@trove/connector-kit/sql';

import type { BigQueryApi } from './api.js';
import type { QueryParameter } from './answers.js';
import type { BigQueryTable } from './catalog.js';
import { quoteIdentifier } from './names.js';
import { valueOf } from './values.js';

/** Smaller tables are scanned for a row, which is free. In larger ones, a query finds it. */
const maxScannedBytes = 16 * 1024 * 1024;

/** Yields the rows of a table for free, and those of a view by a query. */
export async function* scanRows(
  { api, project, maxBytes }: ScanOptions,
  table: BigQueryTable,
  scan: TableScan,
  signal: AbortSignal,
): AsyncGenerator<readonly unknown[]> {
  const { dataset, name, listed, fields } = table;
  const { offset, limit, key } = scan;
  const from = quoteIdentifier(project, dataset, name);
  const { where, parameters } = conditionOf(table, key);
  const range = `${limit === Infinity ? '' : ` limit ${limit}`}${offset === 0 ? '' : ` offset ${offset}`}`;
  const pages =
    listed === null || needsQuery(table, scan)
      ? api.query(`select * from ${from}${where}${range}`, parameters, maxBytes, signal)
      : api.rows(dataset, listed, { offset, limit }, signal);
  for await (const { rows = [] } of pages)
    for (const { f: cells = [] } of rows)
      yield fields.map((field, at) => valueOf(field, cells[at] ?? {}));
}

interface ScanOptions {
  readonly api: BigQueryApi;
  readonly project: string;
  readonly maxBytes: number;
}

/** Returns whether a scan runs a query. Rows of tables are free without one. */
export function needsQuery(table: BigQueryTable, { key }: TableScan): boolean {
  if (table.listed === null) return true;
  return (table.bytes ?? 0) > maxScannedBytes && conditionOf(table, key).where !== '';
}

/** Returns a condition for the row with a key. Without one, or with a key that SQL writes in another way, all rows are read. */
function conditionOf(
  { key: columns, fields }: BigQueryTable,
  key: TableScan['key'],
): { readonly where: string; readonly parameters: readonly QueryParameter[] } {
  const none = { where: '', parameters: [] };
  if (key === undefined || columns === null) return none;
  const isSimple = columns.every(
    (name) =>
      key[name] !== null &&
      !isShortened(key[name] ?? null) &&
      fields.some((field) => field.name === name && simpleTypes.has(field.type)),
  );
  if (!isSimple) return none;
  const parameters = columns.map((name, at) => ({
    name: `k${at}`,
    parameterType: { type: 'STRING' },
    parameterValue: { value: String(key[name]) },
  }));
  const conditions = columns.map(
    (name, at) => `cast(${quoteIdentifier(name)} as string) = @k${at}`,
  );
  return { where: ` where ${conditions.join(' and ')}`, parameters };
}

/** Types whose text in SQL is that of their JSON value. */
const simpleTypes = new Set(['INTEGER', 'INT64', 'STRING', 'DATE', 'BOOLEAN', 'BOOL']);
