import {
  isCheckpoint,
  locatorKey,
  type Locator,
  type RecordsOptions,
  type SourceRecord,
} from '@trove/core';
import type { ItemBatchLimits } from '@trove/runtime';
import { messageSeparator } from './chunking/index.js';
import { ignoreIncomplete } from '../sources/connectors/incomplete-listing.js';
import { InvalidRecord, type RecordItem } from '../sources/connectors/invalid-record.js';
import type { ObjectRule } from '../sources/objects/object-rules.js';
import { toRecordKey } from '../sources/connectors/connector-validation.js';
import { textTooLarge } from './text-lines.js';
import type { ContentRequest, TextPieces } from './content-request.js';
import { toJsonLine } from './record-line.js';
import { groupName, locatorOf, messageText } from './record-values.js';
import { sortByTime } from './message-order.js';

/** Selects records of an object; default: all. */
export type RecordSelection = Omit<RecordsOptions, 'signal' | 'identity'>;

/** An object that consists of records. As text, each record is a line of JSON. */
export class RecordContent {
  readonly form = 'records';
  readonly rule: ObjectRule | null;
  readonly #request: ContentRequest;

  constructor(request: ContentRequest) {
    this.rule = request.connector.rules.of(request.object.path);
    this.#request = request;
  }

  /** The size of records is unknown until they are read. */
  readonly minChars = 0;

  /** Yields the records. Calls `onBad` for invalid records, which are left out. By default, the first one throws. */
  async *records(
    selection: RecordSelection = {},
    onBad: (bad: InvalidRecord) => void = throwError,
  ): AsyncGenerator<SourceRecord, void, undefined> {
    const { connector, object, budget, purpose, signal } = this.#request;
    const share = await budget.reserve(purpose, null, signal);
    try {
      const records = connector.records(object, { ...selection, signal }, object.keyFields);
      for await (const record of records) {
        if (record instanceof InvalidRecord) onBad(record);
        else if (!isCheckpoint(record)) yield record;
      }
    } finally {
      share.release();
    }
  }

  /** Yields records and checkpoints in batches. A checkpoint is the last item of its batch. Reserves no read budget, because the indexing worker has its own. */
  parts(
    part: ItemBatchLimits,
    selection: RecordSelection = {},
  ): AsyncGenerator<RecordItem[], void, undefined> {
    const { connector, object, signal } = this.#request;
    return connector.recordsInParts(object, { ...selection, signal }, part, object.keyFields);
  }

  /** Whether the records of a group can be requested without reading all records. */
  async canReadGroups(): Promise<boolean> {
    const { connector, signal } = this.#request;
    return this.rule?.group_by === undefined && (await connector.capabilities(signal)).threads;
  }

  async *text(selection?: Pick<RecordSelection, 'offset' | 'limit'>): TextPieces {
    for await (const record of this.records(selection)) yield toJsonLine(record);
  }

  /**
   * Returns the line of the record or all messages of the thread that a locator names, or null. Throws
   * `validation_error` for a locator that can name nothing in this object.
   */
  async textAt(locator: Locator, maxChars: number): Promise<string | null> {
    const names = this.rule?.locator_fields ?? this.#request.object.keyFields;
    const group = this.#groupIn(locator, names);
    const found = group === null ? null : await this.#group(group, maxChars);
    if (found !== null || (group !== null && names !== undefined)) return found;
    return this.#line(locator);
  }

  async #line(locator: Locator): Promise<string | null> {
    const wanted = locatorKey(locator);
    const fieldNames = this.rule?.locator_fields;
    const key = toRecordKey(locator, fieldNames ?? this.#request.object.keyFields);
    const isWanted = (bad: InvalidRecord): boolean =>
      bad.key === null || locatorKey(bad.key) === wanted;
    const selection = fieldNames === undefined ? { key } : {};
    const records = this.records(selection, (bad) => (isWanted(bad) ? throwError(bad) : undefined));
    for await (const record of records) {
      if (locatorKey(locatorOf(record, this.rule)) === wanted) return toJsonLine(record);
    }
    return null;
  }

  /**
   * Returns the group that a locator names; null if it names a record. `keyFields` are the names in record keys, if
   * known.
   */
  #groupIn(locator: Locator, keyFields: readonly string[] | undefined): string | null {
    const name = this.rule?.group_by ?? 'thread';
    const value = locator[name];
    const isOnlyField = value !== undefined && Object.keys(locator).length === 1;
    if (!isOnlyField) return null;
    if (this.rule?.group_by !== undefined) return JSON.stringify(value);
    const isKey = keyFields?.length === 1 && keyFields[0] === name;
    return typeof value === 'string' && !isKey ? value : null;
  }

  /** Returns the readable messages of a group in order of time, with their authors. Throws `object_too_large_for_cat`. */
  async #group(group: string, maxChars: number): Promise<string | null> {
    const messages: { readonly at: number | undefined; readonly text: string }[] = [];
    let chars = 0;
    let exists = false;
    const selection = this.rule?.group_by === undefined ? { thread: group } : {};
    for await (const record of ignoreIncomplete(this.records(selection, ignoreRecord))) {
      if (groupName(record, this.rule) !== group) continue;
      exists = true;
      const text = messageText(record, this.rule);
      if (text === '') continue;
      chars += text.length + messageSeparator.length;
      if (chars > maxChars) throw textTooLarge(maxChars);
      messages.push({ at: record.at, text });
    }
    const texts = sortByTime(messages).map(({ text }) => text);
    return exists ? `${texts.join(messageSeparator)}\n` : null;
  }
}

function throwError({ error }: InvalidRecord): never {
  throw error;
}

function ignoreRecord(): void {}
