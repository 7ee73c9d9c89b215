import type { Table } from '@lancedb/lancedb';
import { isTombstone, rawRows, type RawRow } from './rows.js';

const SEPARATOR = '@';

/** Where a row is stored: nothing else is ever stored there. */
export interface Place {
  readonly address: string;
  /** Of the table, when the row was there. */
  readonly version: number;
  /** Which of the tables that had the name, one after the other. */
  readonly table: number;
}

/** A row as read, and the address it was read from. */
export interface ReadRow {
  readonly row: RawRow;
  readonly address: string;
}

/**
 * The key of a row: its row id in the table, which stays the same when it is overwritten and when fragments are merged;
 * and the place where it was found, if that is known.
 */
export function keyOf(rowNumber: unknown, place: Place | null = null): string {
  const id = String(rowNumber);
  return place === null ? id : [id, place.address, place.version, place.table].join(SEPARATOR);
}

export function placeOf(key: string): Place | null {
  const [, address, version, table] = key.split(SEPARATOR);
  return address === undefined ? null : { address, version: Number(version), table: Number(table) };
}

/** Some columns, including `group`, of the rows with these keys, in order; null for rows that no longer exist. */
export async function rowsWithKeys(
  table: Table,
  keys: readonly string[],
  columns: readonly string[],
): Promise<(ReadRow | null)[]> {
  if (keys.length === 0) return [];
  const ids = keys.map(idOf);
  const found = await table
    .takeRowIds([...new Set(ids)].map(BigInt))
    .withRowId()
    .select(['_rowid', '_rowaddr', ...columns])
    .toArrow();
  const live = rawRows(found).filter((row) => !isTombstone(row));
  const byId = new Map(live.map((row) => [keyOf(row['_rowid']), row]));
  return ids.map((id) => {
    const row = byId.get(id);
    return row === undefined ? null : { row, address: String(row['_rowaddr']) };
  });
}

function idOf(key: string): string {
  const end = key.indexOf(SEPARATOR);
  return end < 0 ? key : key.slice(0, end);
}
