import type { Table } from '@lancedb/lancedb';
import { readBatches } from './column-batches.js';
import { isTombstone, rawRows, type RawRow } from './rows.js';

const separator = '@';

/** A version of a table. */
export interface TableVersion {
  readonly version: number;
  /** The number of the table among those with its name. */
  readonly table: number;
}

/**
 * Returns the key of a row: its row id, which survives overwrites and merges of fragments, and the version where it was
 * found, if known.
 */
export function keyOf(rowNumber: unknown): string {
  return String(rowNumber);
}

export function keyAt(key: string, { version, table }: TableVersion): string {
  return `${key}${separator}${version}${separator}${table}`;
}

/** Returns the version where the row was found, or null if unknown. */
export function versionOf(key: string): number | null {
  const [, version] = key.split(separator);
  return version === undefined ? null : Number(version);
}

/** Returns some columns, including `group`, of the rows with these keys in order. Missing rows are null. */
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
