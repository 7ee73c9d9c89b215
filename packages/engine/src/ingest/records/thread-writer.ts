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

/** Threads whose messages are looked up at a time. */
const threadPageSize = 200;
/** Rows that are handed over at a time. */
const rowsPerBatch = 512;
const partLimits = { items: 1024, ms: 100 } as const;

/** The names of messages by thread. */
type NamesByThread = ReadonlyMap<string, ReadonlySet<string>>;

/** Writes the threads of an object of which a message was added, changed or removed. */
export class ThreadWriter {
  readonly #records: RecordCatalog;
  readonly #source: TaskSource;
  readonly #object: ObjectToIndex;
  readonly #content: RecordContent;
  readonly #writer: RecordWriter;
  readonly #collected = new ThreadBuffer();
  readonly #told = new ThreadBuffer();

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

  /** Keeps messages of threads that are met as a whole, so that they need not be read again. */
  collect(records: readonly NamedRecord[], into = this.#collected): void {
    for (const each of records)
      if (each.thread !== null) into.add(each.thread, toThreadMessage(each, this.#content.rule));
  }

  /** Keeps messages that a source has told of: a thread that has no others need not be read. */
  addReported(records: readonly NamedRecord[]): void {
    this.collect(records, this.#told);
  }

  /** Nobody keeps the other messages of these threads: they are read again, unless they have been collected. */
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
    const rest = new Set(threads);
    const batch = new UnitBatch(this.#writer);
    const take = async (from: ThreadBuffer, thread: string, isAll: boolean): Promise<void> => {
      const found = from.take(thread) ?? (isAll ? { messages: [], isTruncated: false } : undefined);
      if (found === undefined) return;
      rest.delete(thread);
      const names = known.get(thread) ?? new Set<string>();
      await batch.add(toThreadUnit(this.#writer.facts, thread, found, names));
    };
    for (const thread of threads)
      await take(this.#isTold(thread, known) ? this.#told : this.#collected, thread, false);
    const canAsk = await this.#content.canReadGroups();
    while (rest.size > 0) {
      const [first = ''] = rest;
      const wanted = canAsk ? new Set([first]) : new Set(rest);
      const some = await this.#read(wanted, canAsk ? selectThread(first, known) : {});
      for (const thread of wanted) await take(some, thread, !some.isFull);
    }
    await batch.end();
  }

  /** Reads some threads, of all records or of those that are asked for. */
  async #read(wanted: ReadonlySet<string>, asked: RecordSelection): Promise<ThreadBuffer> {
    const some = new ThreadBuffer();
    for await (const records of this.#content.parts(partLimits, asked)) {
      const named = identifyRecords(validRecords(records), this.#object.plan);
      const isWanted = ({ thread }: NamedRecord): boolean => thread !== null && wanted.has(thread);
      this.collect([...named.values()].filter(isWanted), some);
    }
    return some;
  }

  #isTold(thread: string, names: NamesByThread): boolean {
    const told = this.#told.names(thread);
    return [...(names.get(thread) ?? [])].every((name) => told.has(name));
  }

  /** The names of the messages that threads are known to have. */
  async #namesIn(threads: readonly string[]): Promise<NamesByThread> {
    const ofObject = { connectorId: this.#source.record.id, objectId: this.#object.id };
    const names = new Map<string, Set<string>>();
    for await (const { key, thread } of messagesOf(this.#records, ofObject, threads)) {
      if (thread === null) continue;
      names.set(thread, (names.get(thread) ?? new Set()).add(key));
    }
    return names;
  }
}

/** How a thread is asked for alone. */
function selectThread(thread: string, names: NamesByThread): RecordSelection {
  const keys: RecordKey[] = [];
  for (const name of names.get(thread) ?? []) {
    const key = keyOfName(name);
    if (key === null) return { thread };
    keys.push(key);
  }
  return { thread, messageKeys: keys };
}

/** Hands over units once they have many rows. */
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
