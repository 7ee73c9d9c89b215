import type { Table } from '@lancedb/lancedb';
import { isTombstone, rawRows, type RawRow } from './rows.js';

/** The key of a row: its number in the table, which it keeps when it is overwritten and when fragments are merged. */
export function keyOf(rowNumber: unknown): string {
  return String(rowNumber);
}

/** Some columns, `id` among them, of the rows with these keys, in their order; null where there is none any more. */
export async function rowsWithKeys(
  table: Table,
  keys: readonly string[],
  columns: readonly string[],
): Promise<(RawRow | null)[]> {
  if (keys.length === 0) return [];
  const found = await table
    .takeRowIds([...new Set(keys)].map(BigInt))
    .withRowId()
    .select(['_rowid', ...columns])
    .toArrow();
  const live = rawRows(found).filter((row) => !isTombstone(row));
  const byKey = new Map(live.map((row) => [keyOf(row['_rowid']), row]));
  return keys.map((key) => byKey.get(key) ?? null);
}
