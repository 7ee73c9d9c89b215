import type { Bindings, Columns, Database, Row } from './types.js';
import { decodeText } from './text.js';
import { text } from './values.js';

/**
 * What a select finds, fetched as one JSON text: drivers take several times as long to hand over many rows as a
 * database takes to find them.
 */
export async function allBundled(
  db: Database,
  columns: Columns,
  select: string,
  bindings: Bindings,
): Promise<Row[]> {
  const [row] = await db.all(db.dialect.bundle(columns, select), bindings);
  if (row === undefined || row['bundle'] === null) return [];
  const bundle: unknown = JSON.parse(text(row, 'bundle'));
  if (!Array.isArray(bundle)) throw new TypeError('The database bundled no rows.');
  const fields = Object.entries(columns);
  return bundle.map((values) => rowOf(fields, values));
}

function rowOf(fields: readonly [string, Columns[string]][], values: unknown): Row {
  const given: readonly unknown[] = Array.isArray(values) ? values : [];
  const row: Record<string, unknown> = {};
  for (const [at, [name, type]] of fields.entries()) row[name] = valueOf(given[at], type);
  return row;
}

/** SQLite writes fractions as texts: its JSON would round them. */
function valueOf(value: unknown, type: Columns[string]): unknown {
  if (typeof value !== 'string') return value;
  return type === 'real' ? Number(value) : decodeText(value);
}
