import type { Change, ChangesRequest, Entry, SourceRecord } from '@trove/core';

import { streamWithReader } from './operations.js';
import type { DatabaseSource, Reader, Relation } from './source.js';
import type { Tree } from './tree.js';

/** What is known of a relation since the last sync. */
interface Known {
  /** Of its schema: what is told by columns holds as long as these are the same. Null: it says nothing of that. */
  readonly schema: string | null;
  readonly mark: unknown;
  /** When all its records were read last, in milliseconds since 1970. */
  readonly readAt: number;
}

/** The relations of the last sync, by the path of their records. */
type Cursor = Readonly<Record<string, Known>>;

/** After this time all records are read again: a column may not tell of each change. */
const wholeAfterMs = 24 * 60 * 60 * 1000;
const recordsAtOnce = 100;
/** A cursor has a limit: with more relations than it can hold, all are read each time. */
const cursorChars = 900_000;

/** What changed since the last sync: single records where a column tells it, and else whole relations. */
export async function* changes<R extends Relation>(
  source: DatabaseSource<R>,
  tree: Tree<R>,
  { cursor, commit, signal }: ChangesRequest,
): AsyncGenerator<Change> {
  const before = cursorIn(cursor);
  if (before === null && cursor !== undefined) yield { reset: true };
  const now: Record<string, Known> = {};
  yield* streamWithReader(source, signal, async function* (reader): AsyncGenerator<Change> {
    for (const relation of await reader.relations()) {
      signal.throwIfAborted();
      const [records, schema] = await tree.entriesOf(reader, relation);
      if (records === undefined) continue;
      if (schema !== undefined) yield { entry: schema };
      const known = before?.[records.path];
      const layout = source.schemaIsInferred === true ? null : (schema?.fingerprint ?? null);
      now[records.path] = yield* changesIn(reader, relation, records, layout, known);
    }
  });
  for (const path of Object.keys(before ?? {})) {
    if (path in now) continue;
    yield { removed: path };
    yield { removed: tree.schemaPathBeside(path) };
  }
  commit(JSON.stringify(now).length > cursorChars ? null : now);
}

/** The changes of one relation; returns what is known of it from now on. */
async function* changesIn<R extends Relation>(
  reader: Reader<R>,
  relation: R,
  records: Entry,
  schema: string | null,
  known?: Known,
): AsyncGenerator<Change, Known> {
  const age = Date.now() - (known?.readAt ?? 0);
  // After the clock was set back, the age is unknown.
  const isGood = known?.schema === schema && age >= 0 && age < wholeAfterMs;
  const mark = isGood ? known.mark : null;
  const found = relation.skip === null ? ((await reader.changes?.(relation, mark)) ?? null) : null;
  if (known === undefined || !isGood || found === null || found.since === null) {
    yield { entry: records };
    return { schema, mark: found?.mark ?? null, readAt: Date.now() };
  }
  const { path } = records;
  let some: SourceRecord[] = [];
  for await (const record of found.since.records) {
    some.push(record);
    if (some.length < recordsAtOnce) continue;
    yield { path, records: some, removedKeys: [] };
    some = [];
  }
  yield { path, records: some, removedKeys: [], total: found.since.total };
  return { ...known, mark: found.mark };
}

/** Null: it is none of ours. */
function cursorIn(cursor: unknown): Cursor | null {
  if (typeof cursor !== 'object' || cursor === null || Array.isArray(cursor)) return null;
  const entries = Object.entries(cursor);
  return entries.every((entry): entry is [string, Known] => isKnown(entry[1]))
    ? Object.fromEntries(entries)
    : null;
}

function isKnown(value: unknown): value is Known {
  return (
    typeof value === 'object' &&
    value !== null &&
    'schema' in value &&
    'mark' in value &&
    'readAt' in value &&
    typeof value.readAt === 'number'
  );
}
