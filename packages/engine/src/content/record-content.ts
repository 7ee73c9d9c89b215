import { locatorKey, type Locator, type RecordsOptions, type SourceRecord } from '@trove/core';
import type { ItemBatchLimits } from '@trove/runtime';
import { messageSeparator } from './chunking/index.js';
import { InvalidRecord } from '../sources/connectors/invalid-record.js';
import type { ObjectRule } from '../sources/objects/object-rules.js';
import { toRecordKey } from '../sources/connectors/connector-validation.js';
import { textTooLarge } from './text-lines.js';
import type { ContentRequest, TextPieces } from './content-request.js';
import { groupName, locatorOf, messageText } from './record-values.js';
import { sortByTime } from './message-order.js';

/** Which records of an object; default: all. */
export type RecordSelection = Omit<RecordsOptions, 'signal'>;

/** An object made of records. Read as a text, each is a line of JSON. */
export class RecordContent {
  readonly form = 'records';
  readonly rule: ObjectRule | null;
  readonly #reading: ContentRequest;

  constructor(reading: ContentRequest) {
    this.rule = reading.connector.rules.of(reading.object.path);
    this.#reading = reading;
  }

  /** Nobody knows before they are read. */
  readonly minChars = 0;

  /** `onBad`: told of records that are left out; by default, the first one fails. */
  async *records(
    some: RecordSelection = {},
    onBad: (bad: InvalidRecord) => void = throwError,
  ): AsyncGenerator<SourceRecord, void, undefined> {
    const { connector, object, budget, purpose: use, signal } = this.#reading;
    const share = await budget.reserve(use, null, signal);
    try {
      const records = connector.records(object.path, { ...some, signal }, object.keyFields);
      for await (const record of records) {
        if (record instanceof InvalidRecord) onBad(record);
        else yield record;
      }
    } finally {
      share.release();
    }
  }

  /** The same, many at a time. Holds no share of what readers may hold: the worker that ingests bounds itself. */
  parts(
    part: ItemBatchLimits,
    some: RecordSelection = {},
  ): AsyncGenerator<(SourceRecord | InvalidRecord)[], void, undefined> {
    const { connector, object, signal } = this.#reading;
    return connector.recordsInParts(object.path, { ...some, signal }, part, object.keyFields);
  }

  /** Whether those that are put together can be asked for without reading all there is. */
  async canReadGroups(): Promise<boolean> {
    const { connector, signal } = this.#reading;
    return this.rule?.group_by === undefined && (await connector.capabilities(signal)).threads;
  }

  async *text(some?: Pick<RecordSelection, 'offset' | 'limit'>): TextPieces {
    for await (const record of this.records(some)) yield toJsonLine(record);
  }

  /**
   * What a locator names: the line of a record, or all messages of a thread. Null when there is nothing. Throws
   * `validation_error` for one that can name nothing here.
   */
  async textAt(locator: Locator, maxChars: number): Promise<string | null> {
    const names = this.rule?.locator_fields ?? this.#reading.object.keyFields;
    const group = this.#groupIn(locator, names);
    const found = group === null ? null : await this.#group(group, maxChars);
    if (found !== null || (group !== null && names !== undefined)) return found;
    return this.#line(locator);
  }

  async #line(locator: Locator): Promise<string | null> {
    const wanted = locatorKey(locator);
    const named = this.rule?.locator_fields;
    const key = toRecordKey(locator, named ?? this.#reading.object.keyFields);
    const isWanted = (bad: InvalidRecord): boolean =>
      bad.key === null || locatorKey(bad.key) === wanted;
    const some = named === undefined ? { key } : {};
    const records = this.records(some, (bad) => (isWanted(bad) ? throwError(bad) : undefined));
    for await (const record of records) {
      if (locatorKey(locatorOf(record, this.rule)) === wanted) return toJsonLine(record);
    }
    return null;
  }

  /** What a locator names of which records are put together; null: a record, whose key has these names if they are known. */
  #groupIn(locator: Locator, keyFields: readonly string[] | undefined): string | null {
    const name = this.rule?.group_by ?? 'thread';
    const value = locator[name];
    const isAlone = value !== undefined && Object.keys(locator).length === 1;
    if (!isAlone) return null;
    if (this.rule?.group_by !== undefined) return JSON.stringify(value);
    const isKey = keyFields?.length === 1 && keyFields[0] === name;
    return typeof value === 'string' && !isKey ? value : null;
  }

  /** Who said what in a thread, in the order of time. Throws `object_too_large_for_cat`. */
  async #group(group: string, maxChars: number): Promise<string | null> {
    const messages: { readonly at: number | undefined; readonly text: string }[] = [];
    let chars = 0;
    let isThere = false;
    const some = this.rule?.group_by === undefined ? { thread: group } : {};
    for await (const record of this.records(some, ignoreRecord)) {
      if (groupName(record, this.rule) !== group) continue;
      isThere = true;
      const text = messageText(record, this.rule);
      if (text === '') continue;
      chars += text.length + messageSeparator.length;
      if (chars > maxChars) throw textTooLarge(maxChars);
      messages.push({ at: record.at, text });
    }
    const texts = sortByTime(messages).map(({ text }) => text);
    return isThere ? `${texts.join(messageSeparator)}\n` : null;
  }
}

function throwError({ error }: InvalidRecord): never {
  throw error;
}

function ignoreRecord(): void {}

/** A record as people read it, with its line end. */
export function toJsonLine({ fields, text }: SourceRecord): string {
  return `${JSON.stringify(text === undefined ? fields : { ...fields, text })}\n`;
}
