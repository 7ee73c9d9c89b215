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
  return bundle.map((values) => rowOf(columns, values));
}

function rowOf(columns: Columns, values: unknown): Row {
  const fields: readonly unknown[] = Array.isArray(values) ? values : [];
  return Object.fromEntries(
    Object.entries(columns).map(([name, type], at) => [name, valueOf(fields[at], type)]),
  );
}

/** SQLite writes fractions as texts: its JSON would round them. */
function valueOf(value: unknown, type: Columns[string] | undefined): unknown {
  if (typeof value !== 'string') return value;
  return type === 'real' ? Number(value) : decodeText(value);
}
