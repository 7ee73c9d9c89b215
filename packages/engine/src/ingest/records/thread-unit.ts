import type { FieldValue, JsonScalar } from '@trove/core';
import { chunkThread } from '../../content/chunking/index.js';
import type { UnanalysedRow } from '../../content/compute/messages.js';
import { groupLocator, messageText } from '../../content/record-values.js';
import { sortByTime } from '../../content/message-order.js';
import { chunkId, threadGroup } from '../../content/row-ids.js';
import type { NamedRecord } from './identify.js';
import { valuesOf, type RowFacts } from './record-rows.js';
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
}

/** Longer lists do not help filters. */
const maxValues = 100;

export function toThreadMessage(
  { record, name, version }: NamedRecord,
  rule: RowFacts['rule'],
): ThreadMessage {
  return {
    name,
    version,
    text: messageText(record, rule),
    title: record.title ?? null,
    at: record.at,
    fields: valuesOf(record, rule),
  };
}

/**
 * Creates the unit of a thread, with its messages in the order of their times. `known`: names of the stored messages.
 * Others are left to the next sync, where they are new. `isTruncated`: the thread has more messages than were read.
 */
export function toThreadUnit(
  facts: RowFacts,
  thread: string,
  {
    messages,
    isTruncated,
  }: { readonly messages: readonly ThreadMessage[]; readonly isTruncated: boolean },
  known: ReadonlySet<string>,
): Unit {
  const present = new Map(
    sortByTime(messages).flatMap((each) => (known.has(each.name) ? [[each.name, each]] : [])),
  );
  const ordered = [...present.values()];
  const { rows, isWhole } = rowsOf(facts, thread, ordered);
  const states = ordered.map(({ name, version }, at) => {
    const isFirst = at === 0;
    const chunks = isFirst ? rows.length : 0;
    return {
      key: name,
      version,
      chunks,
      thread,
      isTruncated: isFirst && (isTruncated || !isWhole),
    };
  });
  const removed = [...known].filter((name) => !present.has(name));
  return { group: threadGroup(facts.objectId, thread), rows, states, removed };
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
      fields: { ...facts.fields, ...mergeFields(own) },
    });
  }
  return { rows, isWhole: true };
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
