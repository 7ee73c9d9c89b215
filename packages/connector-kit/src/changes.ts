import type { Change, ChangesRequest, Entry, SourceRecord } from '@trove/core';

import { streamWithReader } from './with-reader.js';
import type { DatabaseSource, DatabaseReader, Table } from './source.js';
import type { DatabaseTree } from './tree.js';

/** The state of a table at the last sync. */
interface TableState {
  /**
   * The fingerprint of its schema. Another one makes the watermark invalid. Null if the schema is inferred from a sample,
   * because it then says nothing about the columns.
   */
  readonly schema: string | null;
  readonly watermark: unknown;
  /** The time of the last full read, in milliseconds since 1970. */
  readonly readAt: number;
}

/** The states of tables by the path of their records. */
type DatabaseCursor = Readonly<Record<string, TableState>>;

/** Limits the effect of changes that a column does not reveal. */
const fullReadIntervalMs = 24 * 60 * 60 * 1000;
const maxBatchRecords = 100;
/** A longer cursor is dropped, and each sync then reads all tables. */
const maxCursorChars = 900_000;

/** Yields changed records if a column reveals them, otherwise whole tables. */
export async function* streamChanges<T extends Table>(
  source: DatabaseSource<T>,
  tree: DatabaseTree<T>,
  { cursor, commit, signal }: ChangesRequest,
): AsyncGenerator<Change> {
  const previous = parseCursor(cursor);
  if (previous === null && cursor !== undefined) yield { reset: true };
  const current: Record<string, TableState> = {};
  yield* streamWithReader(source, signal, async function* (reader): AsyncGenerator<Change> {
    for (const table of await reader.tables()) {
      signal.throwIfAborted();
      const [records, schema] = await tree.entriesOf(reader, table);
      if (records === undefined) continue;
      if (schema !== undefined) yield { entry: schema };
      const previousState = previous?.[records.path];
      const schemaFingerprint =
        source.isSchemaInferred === true ? null : (schema?.fingerprint ?? null);
      current[records.path] = yield* streamTableChanges(
        reader,
        table,
        records,
        schemaFingerprint,
        previousState,
      );
    }
  });
  for (const path of Object.keys(previous ?? {})) {
    if (path in current) continue;
    yield { removed: path };
    yield { removed: tree.schemaPathOf(path) };
  }
  commit(JSON.stringify(current).length > maxCursorChars ? null : current);
}

/** Yields the changes of one table. Returns its state for the next sync. */
async function* streamTableChanges<T extends Table>(
  reader: DatabaseReader<T>,
  table: T,
  records: Entry,
  schema: string | null,
  previousState?: TableState,
): AsyncGenerator<Change, TableState> {
  const age = Date.now() - (previousState?.readAt ?? 0);
  // The age is negative after the system clock was set back.
  const isComparable = previousState?.schema === schema && age >= 0 && age < fullReadIntervalMs;
  const watermark = isComparable ? previousState.watermark : null;
  const changes = table.skip === null ? ((await reader.changes?.(table, watermark)) ?? null) : null;
  if (
    previousState === undefined ||
    !isComparable ||
    changes === null ||
    changes.changed === null
  ) {
    yield { entry: records };
    return { schema, watermark: changes?.watermark ?? null, readAt: Date.now() };
  }
  const { path } = records;
  let batch: SourceRecord[] = [];
  for await (const record of changes.changed.records) {
    batch.push(record);
    if (batch.length < maxBatchRecords) continue;
    yield { path, records: batch, removedKeys: [] };
    batch = [];
  }
  yield { path, records: batch, removedKeys: [], total: changes.changed.total };
  return { ...previousState, watermark: changes.watermark };
}

/** Returns null for a cursor in another format. */
function parseCursor(cursor: unknown): DatabaseCursor | null {
  if (typeof cursor !== 'object' || cursor === null || Array.isArray(cursor)) return null;
  const entries = Object.entries(cursor);
  return entries.every((entry): entry is [string, TableState] => isTableState(entry[1]))
    ? Object.fromEntries(entries)
    : null;
}

function isTableState(value: unknown): value is TableState {
  return (
    typeof value === 'object' &&
    value !== null &&
    'schema' in value &&
    'watermark' in value &&
    'readAt' in value &&
    typeof value.readAt === 'number'
  );
}
