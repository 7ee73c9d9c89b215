import type { RecordsDifference, RecordTotals, StoredRecord } from '@trove/core/store';
import type { RecordContent } from '../../content/record-content.js';
import type { ObjectToIndex, TaskSource } from '../tasks/prepare-object.js';
import { compareKeys } from './compare-keys.js';
import { identifyRecords, type NamedRecord } from './identify.js';
import type { NumberSet } from './number-set.js';
import { putRecords } from './put-records.js';
import { RecordWriter, type RecordsContext } from './record-writer.js';
import { removeOrInvalidate, removeRecords } from './remove-records.js';
import type { ReportedRecords } from './reported-records.js';
import { ThreadWriter } from './thread-writer.js';

/** The update of an object's records by the changes that its source reported. */
export class ReportedUpdate {
  readonly #context: RecordsContext;
  readonly #source: TaskSource;
  readonly #object: ObjectToIndex;
  readonly #content: RecordContent;
  readonly #report: ReportedRecords;
  /** The numbers of the records that the source has reported since its last checkpoint. */
  readonly #reported: NumberSet;
  /** The new and changed records by name. */
  readonly #present: ReadonlyMap<string, NamedRecord>;
  readonly #writer: RecordWriter;
  readonly #threads: ThreadWriter;
  #removed = 0;

  constructor(
    context: RecordsContext,
    source: TaskSource,
    object: ObjectToIndex,
    content: RecordContent,
    report: ReportedRecords,
    reported: NumberSet,
  ) {
    this.#context = context;
    this.#source = source;
    this.#object = object;
    this.#content = content;
    this.#report = report;
    this.#reported = reported;
    const records = [...report.records.values()].filter((each) => each !== null);
    this.#present = identifyRecords(records, object.plan);
    this.#writer = new RecordWriter(context, source, object, content.rule);
    this.#threads = new ThreadWriter(context, source, object, content, this.#writer, (message) =>
      this.#isRemoved(message),
    );
    this.#threads.addReported([...this.#present.values()]);
  }

  /** Adds the numbers of all present records to those that were reported. */
  async writeReported(): Promise<void> {
    const versions = new Map<string, string>();
    // Removed records have no version. An empty one makes them count as changed.
    for (const name of this.#report.records.keys())
      versions.set(name, this.#present.get(name)?.version ?? '');
    const { unchanged, changed, added } = await this.#compare(versions);
    const known = new Map(changed.map((each) => [each.key, each]));
    for (const number of unchanged) this.#reported.add(number);
    for (const { key, number } of changed) if (this.#present.has(key)) this.#reported.add(number);
    const named = [...known.keys(), ...added].flatMap((name) => this.#present.get(name) ?? []);
    await this.#put(named, known);
    const removed = changed.filter(({ key }) => !this.#present.has(key));
    await removeOrInvalidate(this.#context, this.#source, this.#object.id, removed);
    this.#removed += removed.length;
  }

  /** Removes the records that are missing in complete scopes. Their messages stay until their threads are written. */
  async removeUnreported(): Promise<void> {
    const isUnreported = (record: StoredRecord): boolean => this.#isUnreported(record);
    for (const selection of this.#report.scopes.selections())
      this.#removed += await removeRecords(
        this.#context,
        this.#source,
        this.#object.id,
        isUnreported,
        selection,
      );
  }

  /** Returns whether all changed threads are written. Otherwise the object must be read as a whole. */
  async writeThreads(): Promise<boolean> {
    await this.#settle();
    // Rereading everything for a few threads is left to a task for the object.
    if (await this.#content.canReadGroups()) await this.#threads.writeAll();
    else if (!(await this.#threads.writeBuffered())) return false;
    await this.#settle();
    return true;
  }

  /**
   * Compares the keys of all records if the number of stored ones differs from that in the source. Returns whether all
   * records are written then.
   */
  async writeMissed(): Promise<boolean> {
    const { total } = this.#report;
    if (total === null || (await this.#totals()).records === total) return true;
    const { keysOnly } = await this.#source.connector.capabilities(this.#source.signal);
    const compared = keysOnly
      ? await compareKeys(this.#context, this.#source, this.#object, this.#content)
      : null;
    if (compared === null) return false;
    this.#removed += compared.removed;
    await this.#put(compared.missed, new Map());
    return this.writeThreads();
  }

  /** Resolves when no write is in progress. */
  idle(): Promise<void> {
    return this.#writer.idle();
  }

  /** Returns the outcome of all writes. */
  async outcome(): Promise<{ readonly isChanged: boolean; readonly isWhole: boolean }> {
    const { changes, missing } = this.#writer.outcome();
    const { chunks, truncated } = await this.#totals();
    // A worker that died may have changed records without updating the object.
    const isChanged = changes + this.#removed > 0 || chunks !== this.#object.before?.chunks;
    return { isChanged, isWhole: truncated === 0 && missing === 0 };
  }

  async #put(
    records: readonly NamedRecord[],
    known: ReadonlyMap<string, StoredRecord>,
  ): Promise<void> {
    const objectRef = { connectorId: this.#source.record.id, objectId: this.#object.id };
    await putRecords(this.#context.store.records, this.#writer, objectRef, records, known);
    await this.#settle();
    const added = records.filter(({ name }) => !known.has(name));
    const { unchanged } = await this.#compare(new Map(added.map(({ name }) => [name, null])));
    for (const number of unchanged) this.#reported.add(number);
  }

  async #settle(): Promise<void> {
    await this.#writer.idle();
    this.#writer.assertWritten();
  }

  #isRemoved(record: StoredRecord): boolean {
    return this.#report.records.get(record.key) === null || this.#isUnreported(record);
  }

  #isUnreported(record: StoredRecord): boolean {
    return !this.#reported.has(record.number) && this.#report.scopes.contains(record);
  }

  #compare(versions: ReadonlyMap<string, string | null>): Promise<RecordsDifference> {
    const { records } = this.#context.store;
    return records.compare(this.#source.record.id, this.#object.id, versions);
  }

  #totals(): Promise<RecordTotals> {
    return this.#context.store.records.totals(this.#source.record.id, this.#object.id);
  }
}
