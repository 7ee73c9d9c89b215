import { decodeText } from './text.js';
import type { Bindings, Database, Row } from './types.js';
import { text } from './values.js';

/**
 * The texts that `select` finds, fetched as one JSON text: drivers take several times as long to hand over many rows
 * as a database takes to find them.
 */
export async function allBundled(
  db: Database,
  columns: readonly string[],
  select: string,
  bindings: Bindings,
): Promise<Row[]> {
  const [row] = await db.all(db.dialect.bundle(columns, select), bindings);
  if (row === undefined || row['bundle'] === null) return [];
  const bundle: unknown = JSON.parse(text(row, 'bundle'));
  if (!Array.isArray(bundle)) throw new TypeError('The database bundled no rows.');
  return bundle.map((values) => rowOf(columns, values));
}

function rowOf(columns: readonly string[], values: unknown): Row {
  const given: readonly unknown[] = Array.isArray(values) ? values : [];
  const row: Record<string, unknown> = {};
  for (const [at, name] of columns.entries()) {
    const value = given[at];
    row[name] = typeof value === 'string' ? decodeText(value) : value;
  }
  return row;
}
