import type { IndexGroup, IndexRow } from '@trove/core/index';
import type { ConnectorRecord, SummaryRecord } from '@trove/core/store';
import type { TokenBudget } from '@trove/runtime';
import { summaryGroup } from '../../content/row-ids.js';
import type { IngestServices } from '../tasks/process-task.js';
import { toSummaryRow, type SummarySubject } from './summary-row.js';

/** A batch is written when it is full, at the latest after `batchMs`. This saves commits, and a crash loses little. */
const batchSize = 64;
const batchMs = 500;

interface PendingRow {
  readonly record: SummaryRecord;
  readonly about: SummarySubject;
}

/** Another worker leads the job. */
export class LeaseLostError extends Error {}

/** The store, the index or the embedder failed. No single summary is the cause. */
export class SummaryWriteError extends Error {}

export interface SummaryWriterContext {
  readonly services: Pick<
    IngestServices,
    'store' | 'collection' | 'pool' | 'embedding' | 'trainedEmbedder' | 'settings'
  >;
  readonly record: ConnectorRecord;
  readonly jobId: string;
  readonly worker: string;
  /** Tracks model usage. The usage since the last batch is added to the job. */
  readonly tokenBudget: TokenBudget;
  readonly signal: AbortSignal;
}

/** Writes summaries in batches: first to the index, then to the store. */
export class SummaryWriter {
  readonly #context: SummaryWriterContext;
  #put: PendingRow[] = [];
  #removed: string[] = [];
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(context: SummaryWriterContext) {
    this.#context = context;
  }

  /** Throws `SummaryWriteError` or `LeaseLostError` when this batch or an earlier one could not be written. */
  async put(record: SummaryRecord, about: SummarySubject): Promise<void> {
    this.#put.push({ record, about });
    await this.#flushIfFull();
  }

  async remove(id: string): Promise<void> {
    this.#removed.push(id);
    await this.#flushIfFull();
  }

  /** Writes the pending summaries and adds the model usage to the job. */
  flush(): Promise<void> {
    const [put, removed] = [this.#put, this.#removed];
    this.#put = [];
    this.#removed = [];
    this.#stopTimer();
    this.#writing = this.#writeAfter(this.#writing, put, removed);
    return this.#writing;
  }

  /** Adds the remaining model usage to the job, even after failed writes. */
  async recordUsage(): Promise<void> {
    this.#stopTimer();
    await this.#writing.catch(() => undefined);
    await this.#store([], []);
  }

  async #flushIfFull(): Promise<void> {
    if (this.#put.length + this.#removed.length >= batchSize) return this.flush();
    // A failure surfaces at the next call.
    this.#timer ??= setTimeout(() => void this.flush().catch(() => undefined), batchMs);
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async #writeAfter(
    earlier: Promise<void>,
    put: readonly PendingRow[],
    removed: readonly string[],
  ): Promise<void> {
    await earlier;
    try {
      await this.#write(put, removed);
    } catch (error) {
      if (error instanceof LeaseLostError) throw error;
      throw new SummaryWriteError('Summaries could not be written', { cause: error });
    }
  }

  async #write(put: readonly PendingRow[], removed: readonly string[]): Promise<void> {
    const { services, jobId, signal } = this.#context;
    const load = jobId;
    const gone = removed.map((id): IndexGroup => ({ group: summaryGroup(id), rows: [], load }));
    const rows = await this.#rows(put);
    const groups = [...gone, ...rows.map((row) => ({ group: row.group, rows: [row], load }))];
    if (groups.length > 0) await services.collection.replace(groups, { signal });
    await this.#store(
      put.map(({ record }) => record),
      removed,
    );
  }

  async #store(put: readonly SummaryRecord[], removed: readonly string[]): Promise<void> {
    const { services, jobId, worker, tokenBudget } = this.#context;
    const modelUsage = tokenBudget.take();
    const held = await services.store.summaries.put(jobId, worker, {
      put,
      removed,
      modelUsage,
    });
    if (!held) throw new LeaseLostError('Another worker leads the job');
  }

  /** Analyses and embeds the rows of summaries. */
  async #rows(put: readonly PendingRow[]): Promise<IndexRow[]> {
    const { services, record: source, signal } = this.#context;
    const { pool, embedding, trainedEmbedder, settings } = services;
    const trainedState = trainedEmbedder.cached;
    const analysed = await Promise.all(
      put.map(({ record, about }) => {
        const row = toSummaryRow(source, record, about, settings.chunkChars);
        const chunks = [{ row, context: '', names: '' }];
        return pool.run(
          'analyse',
          { isCode: false, path: record.path, chunks, trainedState },
          { signal },
        );
      }),
    );
    const rows = analysed.flatMap((part) => part.rows);
    const texts = analysed.flatMap((part) => part.texts ?? []);
    if (texts.length === 0) return rows;
    const vectors = await embedding.embedDocuments(texts, { fresh: false, signal });
    return rows.map((row, at) => ({ ...row, vector: vectors[at] ?? null }));
  }
}
