import type { Change, ChangesRequest, Entry, SourceRecord } from '@trove/core';

import { streamWithReader } from './with-reader.js';
import type { DatabaseSource, DatabaseReader, Relation } from './source.js';
import type { DatabaseTree } from './tree.js';

/** What is known of a relation since the last sync. */
interface RelationState {
  /** Of its schema: what is told by columns holds as long as these are the same. Null: it says nothing of that. */
  readonly schema: string | null;
  readonly watermark: unknown;
  /** When all its records were read last, in milliseconds since 1970. */
  readonly readAt: number;
}

/** The relations of the last sync, by the path of their records. */
type DatabaseCursor = Readonly<Record<string, RelationState>>;

/** After this time all records are read again: a column may not tell of each change. */
const fullReadIntervalMs = 24 * 60 * 60 * 1000;
const maxBatchRecords = 100;
/** A cursor has a limit: with more relations than it can hold, all are read each time. */
const maxCursorChars = 900_000;

/** What changed since the last sync: single records where a column tells it, and else whole relations. */
export async function* streamChanges<R extends Relation>(
  source: DatabaseSource<R>,
  tree: DatabaseTree<R>,
  { cursor, commit, signal }: ChangesRequest,
): AsyncGenerator<Change> {
  const before = parseCursor(cursor);
  if (before === null && cursor !== undefined) yield { reset: true };
  const now: Record<string, RelationState> = {};
  yield* streamWithReader(source, signal, async function* (reader): AsyncGenerator<Change> {
    for (const relation of await reader.relations()) {
      signal.throwIfAborted();
      const [records, schema] = await tree.entriesOf(reader, relation);
      if (records === undefined) continue;
      if (schema !== undefined) yield { entry: schema };
      const known = before?.[records.path];
      const layout = source.schemaIsInferred === true ? null : (schema?.fingerprint ?? null);
      now[records.path] = yield* streamRelationChanges(reader, relation, records, layout, known);
    }
  });
  for (const path of Object.keys(before ?? {})) {
    if (path in now) continue;
    yield { removed: path };
    yield { removed: tree.schemaPathOf(path) };
  }
  commit(JSON.stringify(now).length > maxCursorChars ? null : now);
}

/** The changes of one relation; returns what is known of it from now on. */
async function* streamRelationChanges<R extends Relation>(
  reader: DatabaseReader<R>,
  relation: R,
  records: Entry,
  schema: string | null,
  known?: RelationState,
): AsyncGenerator<Change, RelationState> {
  const age = Date.now() - (known?.readAt ?? 0);
  // After the clock was set back, the age is unknown.
  const isGood = known?.schema === schema && age >= 0 && age < fullReadIntervalMs;
  const mark = isGood ? known.watermark : null;
  const found = relation.skip === null ? ((await reader.changes?.(relation, mark)) ?? null) : null;
  if (known === undefined || !isGood || found === null || found.changed === null) {
    yield { entry: records };
    return { schema, watermark: found?.watermark ?? null, readAt: Date.now() };
  }
  const { path } = records;
  let some: SourceRecord[] = [];
  for await (const record of found.changed.records) {
    some.push(record);
    if (some.length < maxBatchRecords) continue;
    yield { path, records: some, removedKeys: [] };
    some = [];
  }
  yield { path, records: some, removedKeys: [], total: found.changed.total };
  return { ...known, watermark: found.watermark };
}

/** Null: it is none of ours. */
function parseCursor(cursor: unknown): DatabaseCursor | null {
  if (typeof cursor !== 'object' || cursor === null || Array.isArray(cursor)) return null;
  const entries = Object.entries(cursor);
  return entries.every((entry): entry is [string, RelationState] => isRelationState(entry[1]))
    ? Object.fromEntries(entries)
    : null;
}

function isRelationState(value: unknown): value is RelationState {
  return (
    typeof value === 'object' &&
    value !== null &&
    'schema' in value &&
    'watermark' in value &&
    'readAt' in value &&
    typeof value.readAt === 'number'
  );
}
