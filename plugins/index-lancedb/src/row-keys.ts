import type { Table } from '@lancedb/lancedb';
import { rawRows, type RawRow } from './rows.js';

/** The key of a row: its number in the table, which it keeps when it is overwritten and when fragments are merged. */
export function keyOf(rowNumber: unknown): string {
  return String(rowNumber);
}

/** Some columns of the rows with these keys, in their order; null where there is none any more. */
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
    .toArrow()
    .catch((error: unknown) => {
      if (isGone(error)) return null;
      throw error;
    });
  const byKey = new Map(
    found === null ? [] : rawRows(found).map((row) => [keyOf(row['_rowid']), row]),
  );
  return keys.map((key) => byKey.get(key) ?? null);
}

/** Said of all rows when the part of the table that one of them was in is gone. */
function isGone(error: unknown): boolean {
  return error instanceof Error && /fragment|row ?id|not found/i.test(error.message);
}
