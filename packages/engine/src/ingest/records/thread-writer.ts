import type { RecordKey } from '@trove/core';
import type { RecordCatalog, StoredRecord } from '@trove/core/store';
import { validRecords } from '../../sources/connectors/invalid-record.js';
import type { RecordContent, RecordSelection } from '../../content/record-content.js';
import { keyOfName } from '../../content/row-ids.js';
import type { ObjectToIndex, TaskSource } from '../tasks/prepare-object.js';
import { ThreadBuffer } from './thread-buffer.js';
import { messagesOf } from './invalidation.js';
import { identifyRecords, type NamedRecord } from './identify.js';
import type { RecordsContext, RecordWriter } from './record-writer.js';
import { toThreadMessage, toThreadUnit, type StoredMessages } from './thread-unit.js';
import { UnitBatch } from './unit-batch.js';

/** Threads whose messages are looked up in one query. */
const threadPageSize = 200;
const partLimits = { items: 1024, ms: 100 } as const;

const noMessages: StoredMessages = { kept: new Set(), removed: new Set() };

/** Writes the threads of an object with added, changed or removed messages. */
export class ThreadWriter {
  readonly #records: RecordCatalog;
  readonly #source: TaskSource;
  readonly #object: ObjectToIndex;
  readonly #content: RecordContent;
  readonly #writer: RecordWriter;
  readonly #isRemoved: (message: StoredRecord) => boolean;
  readonly #collected = new ThreadBuffer();
  readonly #reported = new ThreadBuffer();

  /** `isRemoved`: the source has reported that the message is gone. */
  constructor(
    { store }: RecordsContext,
    source: TaskSource,
    object: ObjectToIndex,
    content: RecordContent,
    writer: RecordWriter,
    isRemoved: (message: StoredRecord) => boolean = () => false,
  ) {
    this.#records = store.records;
    this.#source = source;
    this.#object = object;
    this.#content = content;
    this.#writer = writer;
    this.#isRemoved = isRemoved;
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
    for await (const threads of this.#invalidated()) await this.#write(threads, true);
  }

  /** Writes the invalidated threads of which all messages are buffered. Returns whether no other is left. */
  async writeBuffered(): Promise<boolean> {
    let isComplete = true;
    for await (const threads of this.#invalidated())
      isComplete = (await this.#write(threads, false)) && isComplete;
    return isComplete;
  }

  async *#invalidated(): AsyncGenerator<string[], void, undefined> {
    const { id: objectId } = this.#object;
    let after: string | null = null;
    for (;;) {
      const threads: string[] = await this.#records.invalidatedThreads(
        this.#source.record.id,
        objectId,
        { after, limit: threadPageSize },
      );
      after = threads.at(-1) ?? null;
      if (after === null) return;
      yield threads;
    }
  }

  /** Returns whether all threads were written. */
  async #write(threads: readonly string[], mayRead: boolean): Promise<boolean> {
    const stored = await this.#messagesIn(threads);
    const remaining = new Set(threads);
    const batch = new UnitBatch(this.#writer);
    const take = async (from: ThreadBuffer, thread: string, isAll: boolean): Promise<void> => {
      const found = from.take(thread) ?? (isAll ? { messages: [], isTruncated: false } : undefined);
      if (found === undefined) return;
      remaining.delete(thread);
      const messages = stored.get(thread) ?? noMessages;
      await batch.add(toThreadUnit(this.#writer.facts, thread, found, messages));
    };
    for (const thread of threads) {
      const isReported = this.#isReported(thread, stored.get(thread) ?? noMessages);
      await take(isReported ? this.#reported : this.#collected, thread, isReported);
    }
    const canReadThreads = await this.#content.canReadGroups();
    while (mayRead && remaining.size > 0) {
      const [first = ''] = remaining;
      const toRead = canReadThreads ? new Set([first]) : new Set(remaining);
      const { kept } = stored.get(first) ?? noMessages;
      const some = await this.#read(toRead, canReadThreads ? selectThread(first, kept) : {});
      for (const thread of toRead) await take(some, thread, !some.isFull);
    }
    await batch.end();
    return remaining.size === 0;
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

  #isReported(thread: string, { kept }: StoredMessages): boolean {
    const reported = this.#reported.names(thread);
    return [...kept].every((name) => reported.has(name));
  }

  /** Returns the stored messages of threads. */
  async #messagesIn(threads: readonly string[]): Promise<ReadonlyMap<string, StoredMessages>> {
    const objectRef = { connectorId: this.#source.record.id, objectId: this.#object.id };
    const found = new Map(
      threads.map((thread) => [thread, { kept: new Set<string>(), removed: new Set<string>() }]),
    );
    for await (const message of messagesOf(this.#records, objectRef, threads)) {
      const { kept, removed } = found.get(message.thread ?? '') ?? {};
      (this.#isRemoved(message) ? removed : kept)?.add(message.key);
    }
    return found;
  }
}

/** Selects the records of one thread. */
function selectThread(thread: string, names: ReadonlySet<string>): RecordSelection {
  const keys: RecordKey[] = [];
  for (const name of names) {
    const key = keyOfName(name);
    if (key === null) return { thread };
    keys.push(key);
  }
  return { thread, messageKeys: keys };
}
