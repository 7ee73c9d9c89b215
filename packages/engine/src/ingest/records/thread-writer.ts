import type { RecordKey } from '@trove/core';
import type { RecordCatalog, StoredRecord } from '@trove/core/store';
import { isIncomplete } from '../../sources/connectors/incomplete-listing.js';
import { validRecords } from '../../sources/connectors/invalid-record.js';
import type { RecordContent, RecordSelection } from '../../content/record-content.js';
import { keyOfName } from '../../content/row-ids.js';
import type { ObjectToIndex, TaskSource } from '../tasks/prepare-object.js';
import type { CollectedThreads } from './collected-threads.js';
import { ThreadBuffer, type BufferedThread } from './thread-buffer.js';
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

  /** Buffers messages that the source reported. A thread without other messages is not read again. */
  addReported(records: readonly NamedRecord[]): void {
    this.#buffer(records, this.#reported);
  }

  /** Writes all invalidated threads. Messages that are neither collected nor buffered are read again. */
  async writeAll(collected: CollectedThreads | null = null): Promise<void> {
    for await (const threads of this.#invalidated()) await this.#write(threads, true, collected);
  }

  /** Writes the invalidated threads of which all messages are buffered. Returns whether no other is left. */
  async writeBuffered(): Promise<boolean> {
    let isComplete = true;
    for await (const threads of this.#invalidated())
      isComplete = (await this.#write(threads, false, null)) && isComplete;
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
  async #write(
    threads: readonly string[],
    mayRead: boolean,
    collected: CollectedThreads | null,
  ): Promise<boolean> {
    const stored = await this.#messagesIn(threads);
    const remaining = new Set(threads);
    const batch = new UnitBatch(this.#writer);
    const add = async (thread: string, found: BufferedThread | undefined): Promise<void> => {
      if (found === undefined) return;
      remaining.delete(thread);
      const messages = stored.get(thread) ?? noMessages;
      await batch.add(toThreadUnit(this.#writer.facts, thread, found, messages));
    };
    for (const thread of threads) {
      const messages = stored.get(thread) ?? noMessages;
      if (this.#isReported(thread, messages)) await add(thread, take(this.#reported, thread, true));
      else await add(thread, withAll(await collected?.take(thread), messages));
    }
    const canReadThreads = await this.#content.canReadGroups();
    while (mayRead && remaining.size > 0) {
      if (canReadThreads) {
        const [first = ''] = remaining;
        await add(first, await this.#readThread(first, stored.get(first) ?? noMessages));
        remaining.delete(first);
      } else {
        const toRead = new Set(remaining);
        const some = await this.#readFromAll(toRead);
        for (const thread of toRead) await add(thread, take(some, thread, !some.isFull));
      }
    }
    await batch.end();
    return remaining.size === 0;
  }

  /**
   * Reads one thread. Returns undefined if the source does not show all stored messages at present. The thread then keeps its
   * rows, and the next sync that writes threads reads it again.
   */
  async #readThread(thread: string, messages: StoredMessages): Promise<BufferedThread | undefined> {
    const some = new ThreadBuffer();
    try {
      await this.#readInto(some, new Set([thread]), selectThread(thread, messages.kept));
      return take(some, thread, true);
    } catch (error) {
      if (!isIncomplete(error)) throw error;
      return withAll(some.take(thread), messages);
    }
  }

  /** Reads some threads from all records. */
  async #readFromAll(threads: ReadonlySet<string>): Promise<ThreadBuffer> {
    const some = new ThreadBuffer();
    await this.#readInto(some, threads, {});
    return some;
  }

  async #readInto(
    buffer: ThreadBuffer,
    threads: ReadonlySet<string>,
    selection: RecordSelection,
  ): Promise<void> {
    for await (const records of this.#content.parts(partLimits, selection)) {
      const named = identifyRecords(validRecords(records), this.#object.plan);
      const isSelected = ({ thread }: NamedRecord): boolean =>
        thread !== null && threads.has(thread);
      this.#buffer([...named.values()].filter(isSelected), buffer);
    }
  }

  #buffer(records: readonly NamedRecord[], buffer: ThreadBuffer): void {
    for (const each of records)
      if (each.thread !== null) buffer.add(each.thread, toThreadMessage(each, this.#content.rule));
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

/** Takes a thread out of a buffer. `isAll`: the buffer has all messages, so an unknown thread is empty. */
function take(from: ThreadBuffer, thread: string, isAll: boolean): BufferedThread | undefined {
  const found = from.take(thread);
  return found ?? (isAll ? { messages: [], isTruncated: false, chars: 0 } : undefined);
}

/** Returns a thread only if it has all stored messages, because a missing one would be removed from the store. */
function withAll(
  found: BufferedThread | undefined,
  { kept }: StoredMessages,
): BufferedThread | undefined {
  if (found === undefined || found.isTruncated) return found;
  const names = new Set(found.messages.map(({ name }) => name));
  return [...kept].every((name) => names.has(name)) ? found : undefined;
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
