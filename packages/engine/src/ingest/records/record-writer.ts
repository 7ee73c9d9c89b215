import {
  joinUri,
  type IndexGroup,
  type IndexRow,
  type MetadataStore,
  type RecordState,
} from '@trove/core';
import { Budget, type EmbeddingService } from '@trove/runtime';
import { rowsAtOnce } from '../../compute/analyse.js';
import type { ComputePool } from '../../compute/compute-pool.js';
import type { BareRow } from '../../compute/messages.js';
import type { RecordContent } from '../../content/record-content.js';
import { nameOf } from '../../content/what-it-is.js';
import { recordGroup } from '../../ids.js';
import type { EngineSettings } from '../../settings.js';
import type { WriteRecords } from '../index-writer.js';
import type { ObjectToIndex, TaskSource } from '../prepare-object.js';
import type { NamedRecord } from './identify.js';
import { fieldsOf, rowsOf, type RowFacts } from './record-rows.js';

/** Batches that are analysed, embedded and written at a time, each with its rows in memory. */
const batchesAtOnce = 4;

export interface RecordsContext {
  readonly store: MetadataStore;
  readonly pool: ComputePool;
  readonly embedding: EmbeddingService;
  readonly settings: EngineSettings;
  readonly writer: WriteRecords;
}

interface Batch {
  readonly record: NamedRecord;
  readonly rows: readonly BareRow[];
}

/** Indexes records of one object, batch by batch, and stores what is known of them then. */
export class RecordWriter {
  readonly #context: RecordsContext;
  readonly #source: TaskSource;
  readonly #object: ObjectToIndex;
  readonly #rule: RecordContent['rule'];
  readonly #facts: RowFacts;
  readonly #path: string;
  readonly #slots = new Budget(batchesAtOnce);
  readonly #running = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | null = null;
  #room: number;
  #changes = 0;
  #missing = 0;
  #isPartial = false;

  /** `chunks`: of all records that the object has in the index. */
  constructor(
    context: RecordsContext,
    source: TaskSource,
    object: ObjectToIndex,
    rule: RecordContent['rule'],
    chunks: number,
  ) {
    this.#context = context;
    this.#source = source;
    this.#object = object;
    this.#rule = rule;
    this.#facts = rowFacts(context.settings, source, object);
    this.#path = nameOf(source.record.rootUri, object.entry.path);
    this.#room = object.plan.chunkMax - chunks;
  }

  outcome(): { changes: number; isPartial: boolean; missing: number } {
    return { changes: this.#changes, isPartial: this.#isPartial, missing: this.#missing };
  }

  /** `known`: how many chunks those have that are stored. Resolves once there is room for more. */
  async put(records: readonly NamedRecord[], known: ReadonlyMap<string, number>): Promise<void> {
    const batch = records.flatMap((record): Batch | [] => {
      const rows = this.#roomFor(rowsOf(this.#facts, record, this.#rule), known.get(record.name));
      return rows === null ? [] : { record, rows };
    });
    if (batch.length > 0) await this.#start(() => this.#index(batch));
  }

  /** Resolves once nothing is on its way any more. */
  async idle(): Promise<void> {
    await this.#context.writer.waiting(() => Promise.all(this.#running));
  }

  /** Throws why something could not be written. */
  assertWritten(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** The rows that there is room for; null: none, and the record is not known either. */
  #roomFor(rows: BareRow[], before: number | undefined): BareRow[] | null {
    const room = Math.max(0, this.#room + (before ?? 0));
    const kept = rows.slice(0, room);
    if (kept.length < rows.length) this.#isPartial = true;
    if (kept.length === 0 && rows.length > 0 && before === undefined) return null;
    this.#room += (before ?? 0) - kept.length;
    return kept;
  }

  async #start(work: () => Promise<void>): Promise<void> {
    await this.#slots.acquire(1, this.#source.signal);
    const running = this.#guarded(work).finally(() => {
      this.#slots.release(1);
      this.#running.delete(running);
    });
    this.#running.add(running);
    this.assertWritten();
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#failure ??= { error };
    }
  }

  async #index(batch: readonly Batch[]): Promise<void> {
    const rows = await this.#embedded(batch.flatMap((each) => each.rows));
    let at = 0;
    const put: RecordState[] = [];
    const groups = batch.map(({ record, rows: { length } }) => {
      const own = rows.slice(at, (at += length));
      const missing = own.filter(({ vector }) => vector === null).length;
      this.#missing += missing;
      // Without a version, the next sync tries again.
      const version = missing > 0 ? null : record.version;
      put.push({ key: record.name, version, chunks: length });
      return { group: this.#groupOf(record.name), rows: own };
    });
    this.#changes += batch.length;
    await this.#write(groups, put);
  }

  async #embedded(rows: readonly BareRow[]): Promise<readonly IndexRow[]> {
    const { pool, embedding } = this.#context;
    const { signal, job } = this.#source;
    const slices: (readonly BareRow[])[] = [];
    for (let from = 0; from < rows.length; from += rowsAtOnce)
      slices.push(rows.slice(from, from + rowsAtOnce));
    const parts = await Promise.all(
      slices.map((slice) => {
        const passages = slice.map((row) => ({ row, context: '' }));
        return pool.run('analyse', { path: this.#path, passages }, { signal });
      }),
    );
    const analysed = parts.flatMap((part) => part.rows);
    if (parts.every(({ texts }) => texts === null)) return analysed;
    const texts = parts.flatMap((part) => part.texts ?? []);
    const vectors = await embedding.documents(texts, { fresh: job.full, signal });
    return analysed.map((row, at) => ({ ...row, vector: vectors[at] ?? null }));
  }

  async #write(groups: readonly IndexGroup[], put: readonly RecordState[]): Promise<void> {
    const { id: jobId, connectorId } = this.#source.job;
    const update = { put, removed: [] };
    const write = { jobId, connectorId, objectId: this.#object.id, update };
    await this.#context.writer.write(groups, write);
  }

  #groupOf(name: string): string {
    return recordGroup(this.#object.id, name);
  }
}

function rowFacts(
  settings: EngineSettings,
  source: TaskSource,
  { id, entry }: ObjectToIndex,
): RowFacts {
  return {
    objectId: id,
    connectorId: source.record.id,
    connectorType: source.record.type,
    source: joinUri(source.record.rootUri, entry.path),
    title: entry.title ?? null,
    mediaType: entry.mediaType ?? null,
    modifiedAt: entry.modifiedAt,
    fields: fieldsOf(entry),
    chunkChars: settings.chunkChars,
  };
}
