import {
  locatorKey,
  type FieldValue,
  type JsonScalar,
  type Locator,
  type RecordKey,
  type RecordsOptions,
  type SourceRecord,
} from '@trove/core';
import type { PartLimits } from '@trove/runtime';
import { betweenMessages } from '../chunking/index.js';
import { BadRecord } from '../connectors/bad-record.js';
import type { ObjectRule } from '../connectors/object-rules.js';
import { keyOf } from '../connectors/untrusted.js';
import { tooLarge } from './pick-lines.js';
import type { Reading, TextPieces } from './reading.js';
import { inTimeOrder } from './thread.js';

/** Which records of an object; default: all. */
export type SomeRecords = Omit<RecordsOptions, 'signal'>;

/** A list that is longer is content, and no field to filter by. */
const mostValues = 100;

/** An object made of records. Read as a text, each is a line of JSON. */
export class RecordContent {
  readonly form = 'records';
  readonly rule: ObjectRule | null;
  readonly #reading: Reading;

  constructor(reading: Reading) {
    this.rule = reading.connector.rules.of(reading.object.path);
    this.#reading = reading;
  }

  /** Nobody knows before they are read. */
  readonly charsAtLeast = 0;

  /** `onBad`: told of records that are left out; by default, the first one fails. */
  async *records(
    some: SomeRecords = {},
    onBad: (bad: BadRecord) => void = fails,
  ): AsyncGenerator<SourceRecord, void, undefined> {
    const { connector, object, budget, use, signal } = this.#reading;
    const share = await budget.reserve(use, null, signal);
    try {
      const records = connector.records(object.path, { ...some, signal }, object.keyFields);
      for await (const record of records) {
        if (record instanceof BadRecord) onBad(record);
        else yield record;
      }
    } finally {
      share.release();
    }
  }

  /** The same, many at a time. Holds no share of what readers may hold: the worker that ingests bounds itself. */
  parts(
    part: PartLimits,
    some: SomeRecords = {},
  ): AsyncGenerator<(SourceRecord | BadRecord)[], void, undefined> {
    const { connector, object, signal } = this.#reading;
    return connector.recordsInParts(object.path, { ...some, signal }, part, object.keyFields);
  }

  async *text(some?: Pick<SomeRecords, 'offset' | 'limit'>): TextPieces {
    for await (const record of this.records(some)) yield lineOf(record);
  }

  /**
   * What a locator names: the line of a record, or all messages of a thread. Null when there is nothing. Throws
   * `validation_error` for one that can name nothing here.
   */
  async located(locator: Locator, maxChars: number): Promise<string | null> {
    const names = this.rule?.locator_fields ?? this.#reading.object.keyFields;
    const thread = threadOf(locator, names);
    const found = thread === null ? null : await this.#thread(thread, maxChars);
    if (found !== null || (thread !== null && names !== undefined)) return found;
    return this.#line(locator);
  }

  async #line(locator: Locator): Promise<string | null> {
    const wanted = locatorKey(locator);
    const named = this.rule?.locator_fields;
    const key = keyOf(locator, named ?? this.#reading.object.keyFields);
    const isWanted = (bad: BadRecord): boolean =>
      bad.key === null || locatorKey(bad.key) === wanted;
    const some = named === undefined ? { key } : {};
    const records = this.records(some, (bad) => (isWanted(bad) ? fails(bad) : undefined));
    for await (const record of records) {
      if (locatorKey(locatorOf(record, this.rule)) === wanted) return lineOf(record);
    }
    return null;
  }

  /** Who said what in a thread, in the order of time. Throws `object_too_large_for_cat`. */
  async #thread(thread: string, maxChars: number): Promise<string | null> {
    const messages: { readonly at: number | undefined; readonly text: string }[] = [];
    let chars = 0;
    let isThere = false;
    for await (const record of this.records({ thread }, ignored)) {
      if (record.thread !== thread) continue;
      isThere = true;
      const text = messageText(record, this.rule);
      if (text === '') continue;
      chars += text.length + betweenMessages.length;
      if (chars > maxChars) throw tooLarge(maxChars);
      messages.push({ at: record.at, text });
    }
    const texts = inTimeOrder(messages).map(({ text }) => text);
    return isThere ? `${texts.join(betweenMessages)}\n` : null;
  }
}

function fails({ error }: BadRecord): never {
  throw error;
}

function ignored(): void {}

/** The thread that a locator names; null: a record, whose key consists of these names if they are known. */
function threadOf(locator: Locator, keyFields: readonly string[] | undefined): string | null {
  const { thread, ...others } = locator;
  const isOfKey = keyFields?.length === 1 && keyFields[0] === 'thread';
  return typeof thread === 'string' && Object.keys(others).length === 0 && !isOfKey ? thread : null;
}

/** A record as people read it, with its line end. */
export function lineOf({ fields, text }: SourceRecord): string {
  return `${JSON.stringify(text === undefined ? fields : { ...fields, text })}\n`;
}

/** What identifies a record within its object. */
export function locatorOf({ key, fields }: SourceRecord, rule: ObjectRule | null): RecordKey {
  return rule?.locator_fields === undefined ? key : scalarsOf(fields, rule.locator_fields);
}

/** The text of a record that is searched: its own, or `name: value` lines. */
export function searchableText({ fields, text }: SourceRecord, rule: ObjectRule | null): string {
  if (rule?.text_fields === undefined && text !== undefined) return text;
  const names = rule?.text_fields ?? Object.keys(fields);
  return names
    .map((name) => [name, fields[name]] as const)
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
}

/** A message as it is shown and searched among those of its thread: who said what. Empty when nothing was said. */
export function messageText(record: SourceRecord, rule: ObjectRule | null): string {
  const text = searchableText(record, rule).trim();
  return text === '' || record.author === undefined ? text : `${record.author}: ${text}`;
}

/** Those of the named fields that can be filtered by: scalars, and lists of some. */
export function fieldValues(
  fields: SourceRecord['fields'],
  names: readonly string[],
): Record<string, FieldValue> {
  const kept: Record<string, FieldValue> = {};
  for (const name of names) {
    const value = fields[name];
    if (isScalar(value)) kept[name] = value;
    else if (Array.isArray(value) && value.length <= mostValues && value.every(isScalar)) {
      const present = value.filter((each) => each !== null);
      if (present.length > 0) kept[name] = present;
    }
  }
  return kept;
}

/** Those of the named fields that hold scalars. */
function scalarsOf(
  fields: SourceRecord['fields'],
  names: readonly string[],
): Record<string, JsonScalar> {
  const kept: Record<string, JsonScalar> = {};
  for (const name of names) {
    const value = fields[name];
    if (isScalar(value)) kept[name] = value;
  }
  return kept;
}

function isScalar(value: unknown): value is JsonScalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
