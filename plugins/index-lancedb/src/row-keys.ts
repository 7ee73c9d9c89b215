import type { Table } from '@lancedb/lancedb';
import { readBatches } from './column-batches.js';
import { isTombstone, rawRows, type RawRow } from './rows.js';

const separator = '@';

/** A table as it is at one moment. */
export interface TableVersion {
  readonly version: number;
  /** Which of the tables that had the name, one after the other. */
  readonly table: number;
}

/**
 * The key of a row: its row id in the table, which stays the same when it is overwritten and when fragments are merged;
 * and when it was found, if that is known.
 */
export function keyOf(rowNumber: unknown): string {
  return String(rowNumber);
}

export function keyAt(key: string, { version, table }: TableVersion): string {
  return `${key}${separator}${version}${separator}${table}`;
}

/** The version in which the row was found; null when it is not known. */
export function versionOf(key: string): number | null {
  const [, version] = key.split(separator);
  return version === undefined ? null : Number(version);
}

/** Some columns, including `group`, of the rows with these keys, in order; null for rows that no longer exist. */
export async function rowsWithKeys(
  table: Table,
  keys: readonly string[],
  columns: readonly string[],
): Promise<(RawRow | null)[]> {
  if (keys.length === 0) return [];
  const ids = keys.map(idOf);
  const once = [...new Set(ids)];
  const query = table
    .takeRowIds(once.map(BigInt))
    .withRowId()
    .select([...columns]);
  const found = await readBatches(query, {}, once.length);
  const live = rawRows(found).filter((row) => !isTombstone(row));
  const byId = new Map(live.map((row) => [keyOf(row['_rowid']), row]));
  return ids.map((id) => byId.get(id) ?? null);
}

function idOf(key: string): string {
  const end = key.indexOf(separator);
  return end < 0 ? key : key.slice(0, end);
}
