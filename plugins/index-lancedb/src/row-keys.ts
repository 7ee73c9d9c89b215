import type { Table } from '@lancedb/lancedb';
import { isTombstone, rawRows, type RawRow } from './rows.js';

/**
 * The key of a row: its row id in the table, which stays the same when it is overwritten and when fragments are merged.
 */
export function keyOf(rowNumber: unknown): string {
  return String(rowNumber);
}

/** Some columns, including `id`, of the rows with these keys, in order; null for rows that no longer exist. */
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
