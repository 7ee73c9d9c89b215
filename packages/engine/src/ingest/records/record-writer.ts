import { joinUri } from '@trove/core';
import type { IndexGroup, IndexRow } from '@trove/core/index';
import type { MetadataStore, RecordState, RecordsUpdate } from '@trove/core/store';
import { Budget, type EmbeddingService } from '@trove/runtime';
import { rowsPerBatch } from '../../content/compute/analyse.js';
import type { ComputePool } from '../../content/compute/compute-pool.js';
import type { UnanalysedRow } from '../../content/compute/messages.js';
import type { RecordContent } from '../../content/record-content.js';
import { nameOf } from '../../sources/objects/stated-type.js';
import { demotionFields } from '../../content/demotion.js';
import type { EngineSettings } from '../../settings.js';
import type { RecordSink } from '../tasks/index-writer.js';
import type { ObjectToIndex, TaskSource } from '../tasks/prepare-object.js';
import { BloomFilter } from './bloom-filter.js';
import { fieldsOf, type RowFacts } from './record-rows.js';
import type { Unit } from './unit.js';

/** The limit of rows in memory. Small batches, such as the pages of a web service, must not wait for each other's commits. */
const maxRows = 1024;

export interface RecordsContext {
  readonly store: Pick<MetadataStore, 'records'>;
  readonly pool: ComputePool;
  readonly embedding: EmbeddingService;
  readonly settings: EngineSettings;
  readonly writer: RecordSink;
}

/** Indexes the records and threads of one object in batches, and then stores their states. */
export class RecordWriter {
  readonly #context: RecordsContext;
  readonly #source: TaskSource;
  readonly #object: ObjectToIndex;
  /** The values that all rows share. */
  readonly facts: RowFacts;
  readonly #path: string;
  readonly #budget = new Budget(maxRows);
  readonly #running = new Set<Promise<void>>();
  /** Null if the index may hold some of the groups. */
  readonly #newGroups: BloomFilter | null;
  #failure: { readonly error: unknown } | null = null;
  #changes = 0;
  #missing = 0;

  /** `knowsNone`: the store has no records of the object. */
  constructor(
    context: RecordsContext,
    source: TaskSource,
    object: ObjectToIndex,
    rule: RecordContent['rule'],
    knowsNone = false,
  ) {
    this.#newGroups = knowsNone && object.isFirstAttempt ? new BloomFilter() : null;
    this.#context = context;
    this.#source = source;
    this.#object = object;
    this.facts = rowFactsOf(context.settings, source, object, rule);
    this.#path = nameOf(source.record.rootUri, object.entry.path);
  }

  outcome(): { changes: number; missing: number } {
    return { changes: this.#changes, missing: this.#missing };
  }

  /** Resolves when there is room for more. */
  async put(units: readonly Unit[]): Promise<void> {
    const rows = units.reduce((sum, each) => sum + each.rows.length, 0);
    if (units.length > 0) await this.#start(rows, () => this.#index(units));
  }

  /** Writes groups without analysis, before everything that is added later. Resolves when there is room for more. */
  async replace(groups: readonly IndexGroup[], update: RecordsUpdate): Promise<void> {
    await this.#start(groups.length, () => this.#write(groups, update));
  }

  /** Resolves when no batch is in progress. */
  async idle(): Promise<void> {
    await this.#context.writer.runWaiting(() => Promise.all(this.#running));
  }

  get hasFailed(): boolean {
    return this.#failure !== null;
  }

  /** Throws the first error of a batch. */
  assertWritten(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }

  async #start(rows: number, work: () => Promise<void>): Promise<void> {
    await this.#budget.acquire(rows, this.#source.signal);
    const running = this.#guarded(work).finally(() => {
      this.#budget.release(rows);
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

  async #index(units: readonly Unit[]): Promise<void> {
    const rows = await this.#embedded(units);
    let at = 0;
    const put: RecordState[] = [];
    const groups = units.map(({ group, rows: { length }, states }) => {
      const own = rows.slice(at, (at += length));
      const missing = own.filter(({ vector }) => vector === null).length;
      this.#missing += missing;
      // A record without a version is indexed again by the next sync.
      for (const state of states) put.push(missing > 0 ? { ...state, version: null } : state);
      return { group, rows: own, isNew: this.#newGroups?.add(group) === true };
    });
    this.#changes += units.length;
    await this.#write(groups, { put, removed: units.flatMap(({ removed }) => removed) });
  }

  async #embedded(units: readonly Unit[]): Promise<readonly IndexRow[]> {
    const rows = units.flatMap((each) => each.rows);
    const { pool, embedding } = this.#context;
    const { signal, job } = this.#source;
    const { trainedState } = this.#object.plan;
    const slices: (readonly UnanalysedRow[])[] = [];
    for (let from = 0; from < rows.length; from += rowsPerBatch)
      slices.push(rows.slice(from, from + rowsPerBatch));
    const parts = await Promise.all(
      slices.map((slice) => {
        const chunks = slice.map((row) => ({ row, context: '', names: '' }));
        return pool.run(
          'analyse',
          { isCode: false, path: this.#path, chunks, trainedState },
          { signal },
        );
      }),
    );
    const analysed = parts.flatMap((part) => part.rows);
    if (parts.every(({ texts }) => texts === null)) return analysed;
    const kept = units.flatMap((each) => each.vectors ?? []);
    if (kept.length === rows.length) return withVectors(analysed, kept);
    const texts = parts.flatMap((part) => part.texts ?? []);
    const vectors = await embedding.embedDocuments(texts, { fresh: job.full, signal });
    return withVectors(analysed, vectors);
  }

  async #write(groups: readonly IndexGroup[], update: RecordsUpdate): Promise<void> {
    const { id: jobId, connectorId } = this.#source.job;
    const write = { jobId, connectorId, objectId: this.#object.id, update };
    await this.#context.writer.write(groups, write);
  }
}

function withVectors(
  rows: readonly IndexRow[],
  vectors: readonly (Float32Array | null | undefined)[],
): readonly IndexRow[] {
  return rows.map((row, at) => ({ ...row, vector: vectors[at] ?? null }));
}

export function rowFactsOf(
  settings: EngineSettings,
  source: TaskSource,
  { id, entry, plan }: ObjectToIndex,
  rule: RecordContent['rule'],
): RowFacts {
  return {
    objectId: id,
    connectorId: source.record.id,
    connectorType: source.record.type,
    source: joinUri(source.record.rootUri, entry.path),
    title: entry.title ?? null,
    mediaType: entry.mediaType ?? null,
    modifiedAt: entry.modifiedAt,
    fields: { ...fieldsOf(entry), ...demotionFields(entry.path, '') },
    chunkChars: settings.chunkChars,
    chunkMax: plan.chunkMax,
    rule,
  };
}
