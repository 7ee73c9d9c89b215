import type { RecordKey } from '@trove/core';
import type { RecordCatalog } from '@trove/core/store';
import { validRecords } from '../../sources/connectors/invalid-record.js';
import type { RecordContent, RecordSelection } from '../../content/record-content.js';
import { keyOfName } from '../../content/row-ids.js';
import type { ObjectToIndex, TaskSource } from '../tasks/prepare-object.js';
import { ThreadBuffer } from './thread-buffer.js';
import { messagesOf } from './invalidation.js';
import { identifyRecords, type NamedRecord } from './identify.js';
import type { RecordsContext, RecordWriter } from './record-writer.js';
import { toThreadMessage, toThreadUnit } from './thread-unit.js';
import type { Unit } from './unit.js';

/** Threads whose messages are looked up in one query. */
const threadPageSize = 200;
/** The number of rows that are passed on together. */
const rowsPerBatch = 512;
const partLimits = { items: 1024, ms: 100 } as const;

/** The names of the messages of each thread. */
type NamesByThread = ReadonlyMap<string, ReadonlySet<string>>;

/** Writes the threads of an object with added, changed or removed messages. */
export class ThreadWriter {
  readonly #records: RecordCatalog;
  readonly #source: TaskSource;
  readonly #object: ObjectToIndex;
  readonly #content: RecordContent;
  readonly #writer: RecordWriter;
  readonly #collected = new ThreadBuffer();
  readonly #reported = new ThreadBuffer();

  constructor(
    { store }: RecordsContext,
    source: TaskSource,
    object: ObjectToIndex,
    content: RecordContent,
    writer: RecordWriter,
  ) {
    this.#records = store.records;
    this.#source = source;
    this.#object = object;
    this.#content = content;
    this.#writer = writer;
  }

  /** Buffers messages of threads that are read completely, so that they are not read again. */
  collect(records: readonly NamedRecord[], buffer = this.#collected): void {
    for (const each of records)
      if (each.thread !== null) buffer.add(each.thread, toThreadMessage(each, this.#content.rule));
  }

  /** Buffers messages that the source reported. A thread without other messages is not read again. */
  addReported(records: readonly NamedRecord[]): void {
    this.collect(records, this.#reported);
  }

  /** Writes all invalidated threads. Messages that are not buffered are read again. */
  async writeAll(): Promise<void> {
    const { id: objectId } = this.#object;
    let after: string | null = null;
    for (;;) {
      const threads: string[] = await this.#records.invalidatedThreads(
        this.#source.record.id,
        objectId,
        {
          after,
          limit: threadPageSize,
        },
      );
      after = threads.at(-1) ?? null;
      if (after === null) return;
      await this.#write(threads);
    }
  }

  async #write(threads: readonly string[]): Promise<void> {
    const known = await this.#namesIn(threads);
    const remaining = new Set(threads);
    const batch = new UnitBatch(this.#writer);
    const take = async (from: ThreadBuffer, thread: string, isAll: boolean): Promise<void> => {
      const found = from.take(thread) ?? (isAll ? { messages: [], isTruncated: false } : undefined);
      if (found === undefined) return;
      remaining.delete(thread);
      const names = known.get(thread) ?? new Set<string>();
      await batch.add(toThreadUnit(this.#writer.facts, thread, found, names));
    };
    for (const thread of threads)
      await take(this.#isReported(thread, known) ? this.#reported : this.#collected, thread, false);
    const canReadThreads = await this.#content.canReadGroups();
    while (remaining.size > 0) {
      const [first = ''] = remaining;
      const toRead = canReadThreads ? new Set([first]) : new Set(remaining);
      const some = await this.#read(toRead, canReadThreads ? selectThread(first, known) : {});
      for (const thread of toRead) await take(some, thread, !some.isFull);
    }
    await batch.end();
  }

  /** Reads some threads, from all records or from a selection. */
  async #read(threads: ReadonlySet<string>, selection: RecordSelection): Promise<ThreadBuffer> {
    const some = new ThreadBuffer();
    for await (const records of this.#content.parts(partLimits, selection)) {
      const named = identifyRecords(validRecords(records), this.#object.plan);
      const isSelected = ({ thread }: NamedRecord): boolean =>
        thread !== null && threads.has(thread);
      this.collect([...named.values()].filter(isSelected), some);
    }
    return some;
  }

  #isReported(thread: string, names: NamesByThread): boolean {
    const reported = this.#reported.names(thread);
    return [...(names.get(thread) ?? [])].every((name) => reported.has(name));
  }

  /** Returns the names of the stored messages of threads. */
  async #namesIn(threads: readonly string[]): Promise<NamesByThread> {
    const objectRef = { connectorId: this.#source.record.id, objectId: this.#object.id };
    const names = new Map<string, Set<string>>();
    for await (const { key, thread } of messagesOf(this.#records, objectRef, threads)) {
      if (thread === null) continue;
      names.set(thread, (names.get(thread) ?? new Set()).add(key));
    }
    return names;
  }
}

/** Selects the records of one thread. */
function selectThread(thread: string, names: NamesByThread): RecordSelection {
  const keys: RecordKey[] = [];
  for (const name of names.get(thread) ?? []) {
    const key = keyOfName(name);
    if (key === null) return { thread };
    keys.push(key);
  }
  return { thread, messageKeys: keys };
}

/** Passes units on when they have enough rows. */
class UnitBatch {
  readonly #writer: RecordWriter;
  #units: Unit[] = [];
  #rows = 0;

  constructor(writer: RecordWriter) {
    this.#writer = writer;
  }

  async add(unit: Unit): Promise<void> {
    this.#units.push(unit);
    this.#rows += unit.rows.length;
    if (this.#rows >= rowsPerBatch) await this.end();
  }

  async end(): Promise<void> {
    const units = this.#units;
    this.#units = [];
    this.#rows = 0;
    await this.#writer.put(units);
  }
}
