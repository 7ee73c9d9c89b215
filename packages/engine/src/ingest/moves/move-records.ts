import { isDeepStrictEqual } from 'node:util';
import type { FieldValue } from '@trove/core';
import type { Collection, IndexRow } from '@trove/core/index';
import type { MetadataStore, RecordState, RecordTotals, StoredRecord } from '@trove/core/store';
import type { UnanalysedRow } from '../../content/compute/messages.js';
import type { RecordContent } from '../../content/record-content.js';
import { chunkId, groupOf } from '../../content/row-ids.js';
import { settingsMark } from '../records/identify.js';
import { RecordWriter, rowFactsOf, type RecordsContext } from '../records/record-writer.js';
import type { RowFacts } from '../records/record-rows.js';
import type { Unit } from '../records/unit.js';
import { UnitBatch } from '../records/unit-batch.js';
import type { ObjectToIndex, TaskSource } from '../tasks/prepare-object.js';
import type { Origin } from './origin.js';

const pageSize = 1000;
/** Groups whose rows are read at once. */
const maxReads = 8;
/** Threads that are remembered as moved. Others are moved once for each page that has some of their messages. */
const maxThreads = 10_000;

export interface MoveRecordsContext extends RecordsContext {
  readonly store: Pick<MetadataStore, 'records'>;
  readonly collection: Pick<Collection, 'rows'>;
}

/**
 * Copies the records and threads of an object to its new path without reading it. A repeated call continues after the
 * records that are already there. Null if some must be read, because they are not indexed completely.
 */
export async function moveRecords(
  context: MoveRecordsContext,
  source: TaskSource,
  object: ObjectToIndex,
  origin: Origin,
  rule: RecordContent['rule'],
): Promise<RecordTotals | null> {
  if (!hasAllRecords(origin, object)) return null;
  const { records } = context.store;
  const connectorId = source.record.id;
  const before = await records.totals(connectorId, object.id);
  const writer = new RecordWriter(context, source, object, rule, before.records === 0);
  const copy = new RecordCopy(context, source, object, origin, writer);
  try {
    let after: StoredRecord | null = null;
    for (;;) {
      source.signal.throwIfAborted();
      const page: StoredRecord[] = await records.list(connectorId, {
        objectId: origin.object.id,
        after,
        limit: pageSize,
      });
      after = page.at(-1) ?? null;
      if (after === null) break;
      if (!(await copy.add(page))) return null;
    }
  } finally {
    await writer.idle();
  }
  writer.assertWritten();
  return records.totals(connectorId, object.id);
}

function hasAllRecords({ object, stated }: Origin, { entry }: ObjectToIndex): boolean {
  const { searchStatus, reason, revision } = object;
  const isWhole =
    searchStatus === 'indexed' ? reason === null : searchStatus === 'partial' && revision !== null;
  return isWhole && stated.fingerprint === entry.fingerprint;
}

/** Copies pages of records with their rows. */
class RecordCopy {
  readonly #context: MoveRecordsContext;
  readonly #source: TaskSource;
  readonly #object: ObjectToIndex;
  readonly #writer: RecordWriter;
  /** The values that all rows of the object shared before. */
  readonly #facts: RowFacts;
  readonly #marks: { readonly from: string; readonly to: string };
  /** Groups of threads whose rows are copied. */
  readonly #copied = new Set<string>();

  constructor(
    context: MoveRecordsContext,
    source: TaskSource,
    object: ObjectToIndex,
    origin: Origin,
    writer: RecordWriter,
  ) {
    this.#context = context;
    this.#source = source;
    this.#object = object;
    this.#writer = writer;
    const { id, path, modifiedAt } = origin.object;
    const entry = { ...origin.stated, path, modifiedAt, size: null, fingerprint: null };
    this.#facts = rowFactsOf(context.settings, source, { ...object, id, entry }, writer.facts.rule);
    this.#marks = {
      from: settingsMark(origin.plan.settingsKey),
      to: settingsMark(object.plan.settingsKey),
    };
  }

  /** Returns false if a record was indexed with other settings or incompletely. */
  async add(page: readonly StoredRecord[]): Promise<boolean> {
    const missing = await this.#missing(page);
    if (missing.some(({ version }) => version?.startsWith(this.#marks.from) !== true)) return false;
    const [known, groups] = this.#byGroup(missing);
    const put = known.map((record) => this.#state(record));
    if (put.length > 0) await this.#writer.replace([], { put, removed: [] });
    const batch = new UnitBatch(this.#writer);
    for (let from = 0; from < groups.length; from += maxReads) {
      const some = groups.slice(from, from + maxReads);
      const units = await Promise.all(some.map((records) => this.#unit(records)));
      for (const unit of units) {
        if (unit === null) return false;
        await batch.add(unit);
      }
    }
    await batch.end();
    return true;
  }

  /** Returns the records that are not at the new path yet. */
  async #missing(page: readonly StoredRecord[]): Promise<StoredRecord[]> {
    // Without its version, a record counts as moved wherever it is.
    const versions = new Map(page.map(({ key, version }) => [key, this.#moved(version)]));
    const { records } = this.#context.store;
    const found = await records.compare(this.#source.record.id, this.#object.id, versions);
    const names = new Set([...found.added, ...found.changed.map(({ key }) => key)]);
    return page.filter(({ key }) => names.has(key));
  }

  /** Returns the messages of threads whose rows are copied, and the other records by group. */
  #byGroup(records: readonly StoredRecord[]): [StoredRecord[], (readonly StoredRecord[])[]] {
    const known: StoredRecord[] = [];
    const groups = new Map<string, StoredRecord[]>();
    for (const record of records) {
      const group = groupOf(record);
      if (this.#copied.has(group)) known.push(record);
      else {
        const others = groups.get(group);
        if (others === undefined) groups.set(group, [record]);
        else others.push(record);
      }
    }
    return [known, [...groups.values()]];
  }

  /** Returns the copy of a record, or of messages with their thread. Null if rows are missing. */
  async #unit(records: readonly StoredRecord[]): Promise<Unit | null> {
    const [first] = records;
    if (first === undefined) return null;
    const from = groupOf(first);
    const rows = await this.#context.collection.rows(from);
    // One message counts the rows of all, maybe on another page.
    const counted = records.find(({ chunks }) => chunks > 0)?.chunks;
    const isCounted = first.thread === null || counted !== undefined;
    if (isCounted && rows.length !== (counted ?? 0)) return null;
    if (rows.some(({ vector }) => vector === null)) return null;
    if (first.thread !== null) this.#remember(from);
    const group = groupOf({ ...first, objectId: this.#object.id });
    return {
      group,
      rows: rows.map((row) => this.#row(row, group)),
      states: records.map((record) => this.#state(record)),
      removed: [],
      vectors: rows.map(({ vector }) => vector),
    };
  }

  #state({ key, version, chunks, thread, at, isTruncated }: StoredRecord): RecordState {
    return { key, version: this.#moved(version), chunks, thread, at, isTruncated };
  }

  /** Returns the version of a record at the new path. */
  #moved(version: string | null): string | null {
    const { from, to } = this.#marks;
    return version === null ? null : `${to}${version.slice(from.length)}`;
  }

  #remember(thread: string): void {
    if (this.#copied.size >= maxThreads) this.#copied.clear();
    this.#copied.add(thread);
  }

  /** Returns a row as its record would yield it at the new path. */
  #row(
    { terms: _terms, pairs: _pairs, vector: _vector, ...row }: IndexRow,
    group: string,
  ): UnanalysedRow {
    const { facts } = this.#writer;
    const old = this.#facts;
    return {
      ...row,
      id: chunkId(group, row.kind, row.locator, row.ordinal),
      group,
      source: facts.source,
      title: row.title === old.title ? facts.title : row.title,
      mediaType: facts.mediaType,
      modifiedAt: row.modifiedAt === old.modifiedAt ? facts.modifiedAt : row.modifiedAt,
      fields: { ...facts.fields, ...ownFields(row.fields, old.fields) },
    };
  }
}

/** Returns the fields of a row that are not those of its object. */
function ownFields(
  fields: Readonly<Record<string, FieldValue>>,
  ofObject: Readonly<Record<string, FieldValue>>,
): Record<string, FieldValue> {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => !isDeepStrictEqual(value, ofObject[name])),
  );
}
