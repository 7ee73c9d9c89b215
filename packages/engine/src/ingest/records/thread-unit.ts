import type { FieldValue, JsonScalar } from '@trove/core';
import { chunkThread } from '../../content/chunking/index.js';
import type { UnanalysedRow } from '../../content/compute/messages.js';
import { groupLocator, messageText } from '../../content/record-values.js';
import { sortByTime } from '../../content/message-order.js';
import { chunkId, threadGroup } from '../../content/row-ids.js';
import type { NamedRecord } from './identify.js';
import { allValuesOf, threadValuesOf, valuesOf, type RowFacts } from './record-rows.js';
import type { Unit } from './unit.js';

/** The part of a message that is kept until its thread is complete. */
export interface ThreadMessage {
  readonly name: string;
  readonly version: string;
  /** Empty if the message has no text. */
  readonly text: string;
  readonly title: string | null;
  readonly at: number | undefined;
  readonly fields: Readonly<Record<string, FieldValue>>;
  /** The fields of the whole thread, as this message has them. Null: it has none. */
  readonly threadFields: Readonly<Record<string, FieldValue>> | null;
}

/** Whether a value from a file is a message. */
export function isThreadMessage(value: unknown): value is ThreadMessage {
  if (typeof value !== 'object' || value === null || !('fields' in value)) return false;
  return 'name' in value && typeof value.name === 'string' && 'text' in value;
}

/** The stored messages of a thread, by name. */
export interface StoredMessages {
  readonly kept: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
}

/** Longer lists do not help filters. */
const maxValues = 100;

export function toThreadMessage(
  { record, name, version }: NamedRecord,
  rule: RowFacts['rule'],
): ThreadMessage {
  // A group of a rule can join messages of several threads.
  const isGrouped = rule?.group_by !== undefined;
  return {
    name,
    version,
    text: messageText(record, rule),
    title: record.title ?? null,
    at: record.at,
    fields: isGrouped ? allValuesOf(record, rule) : valuesOf(record, rule),
    threadFields: isGrouped ? null : threadValuesOf(record, rule),
  };
}

/**
 * Creates the unit of a thread, with its messages in the order of their times. Messages that are not stored are left to
 * the next sync, where they are new. `isTruncated`: the thread has more messages than were read.
 */
export function toThreadUnit(
  facts: RowFacts,
  thread: string,
  {
    messages,
    isTruncated,
  }: { readonly messages: readonly ThreadMessage[]; readonly isTruncated: boolean },
  { kept, removed }: StoredMessages,
): Unit {
  const present = new Map(
    sortByTime(messages).flatMap((each) => (kept.has(each.name) ? [[each.name, each]] : [])),
  );
  const ordered = [...present.values()];
  const { rows, isWhole } = rowsOf(facts, thread, ordered);
  const states = ordered.map(({ name, version, at = null }, position) => {
    const isFirst = position === 0;
    const chunks = isFirst ? rows.length : 0;
    return {
      key: name,
      version,
      chunks,
      thread,
      at,
      isTruncated: isFirst && (isTruncated || !isWhole),
    };
  });
  const missing = [...kept].filter((name) => !present.has(name));
  const group = threadGroup(facts.objectId, thread);
  return { group, rows, states, removed: [...removed, ...missing] };
}

function rowsOf(
  facts: RowFacts,
  thread: string,
  messages: readonly ThreadMessage[],
): { readonly rows: UnanalysedRow[]; readonly isWhole: boolean } {
  const group = threadGroup(facts.objectId, thread);
  const locator = groupLocator(thread, facts.rule);
  const kind = facts.rule?.group_by === undefined ? 'thread_aggregate' : 'record_aggregate';
  const withText = messages.filter(({ text }) => text !== '');
  const title = withText.find((message) => message.title !== null)?.title ?? facts.title;
  const threadFields =
    messages.findLast((message) => message.threadFields !== null)?.threadFields ?? {};
  const texts = withText.map(({ text }) => text);
  const rows: UnanalysedRow[] = [];
  for (const { text, first, last } of chunkThread(texts, facts.chunkChars)) {
    if (rows.length === facts.chunkMax) return { rows, isWhole: false };
    const own = withText.slice(first, last + 1);
    const ordinal = rows.length;
    rows.push({
      id: chunkId(group, kind, locator, ordinal),
      group,
      scope: facts.connectorId,
      source: facts.source,
      kind,
      ordinal,
      content: text,
      locator,
      title,
      mediaType: facts.mediaType,
      connectorType: facts.connectorType,
      modifiedAt: latestTime(own) ?? facts.modifiedAt,
      fields: { ...facts.fields, ...withThreadFields(mergeFields(own), threadFields) },
    });
  }
  return { rows, isWhole: true };
}

/** Fields of a thread take precedence over those of its messages. The messages have their own pages and authors. */
function withThreadFields(
  values: Readonly<Record<string, FieldValue>>,
  threadFields: Readonly<Record<string, FieldValue>>,
): Record<string, FieldValue> {
  const { url, author } = values;
  return {
    ...values,
    ...threadFields,
    ...(url === undefined ? {} : { url }),
    ...(author === undefined ? {} : { author }),
  };
}

function latestTime(messages: readonly ThreadMessage[]): number | null {
  const times = messages.flatMap(({ at }) => at ?? []);
  return times.length === 0 ? null : Math.max(...times);
}

/** Merges the fields of all messages into lists. The URL is that of the first message. */
function mergeFields(messages: readonly ThreadMessage[]): Record<string, FieldValue> {
  const values = new Map<string, Set<Exclude<JsonScalar, null>>>();
  for (const { fields } of messages) {
    for (const [name, value] of Object.entries(fields)) {
      const known = values.get(name) ?? new Set();
      values.set(name, known);
      for (const each of [value].flat()) {
        if (each === null || known.size >= maxValues) continue;
        if (name !== 'url' || known.size === 0) known.add(each);
      }
    }
  }
  const all: Record<string, FieldValue> = {};
  for (const [name, known] of values) {
    const [first = null] = known;
    all[name] = known.size > 1 ? [...known] : first;
  }
  return all;
}
