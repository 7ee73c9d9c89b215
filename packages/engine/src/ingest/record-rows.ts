import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Entry, JsonScalar, Locator, SourceRecord } from '@trove/core';
import type { BareRow } from '../compute/messages.js';
import { chunkId } from '../ids.js';
import type { ObjectRule } from '../connectors/object-rules.js';

export interface RecordsContext {
  readonly objectId: string;
  readonly connectorId: string;
  readonly connectorType: string;
  readonly source: string;
  readonly path: string;
  /** Of the object; a record's own values take precedence. */
  readonly title: string | null;
  readonly mediaType: string | null;
  readonly modifiedAt: number | null;
  readonly fields: Readonly<Record<string, JsonScalar>>;
  readonly rule: ObjectRule | null;
  readonly chunkChars: number;
  readonly chunkMax: number;
  readonly settingsKey: string;
}

/** A source whose records are ready immediately must not block everything else. */
const recordsPerTurn = 256;

export interface RecordRows {
  readonly rows: readonly BareRow[];
  readonly partial: boolean;
  readonly contentHash: string;
}

/** Rows of an object made of records: one chunk each, more for a long one; not analysed yet. */
export async function recordRows(
  context: RecordsContext,
  records: AsyncIterable<SourceRecord>,
): Promise<RecordRows> {
  const hash = createHash('sha256').update(context.settingsKey);
  const rows: BareRow[] = [];
  let partial = false;
  let read = 0;
  for await (const record of records) {
    if (++read % recordsPerTurn === 0) await setImmediate();
    const { key, fields, title, url, author, at } = record;
    hash.update(JSON.stringify([key, fields, title, url, author, at]));
    for (const content of pieces(recordText(record, context.rule), context.chunkChars)) {
      if (rows.length >= context.chunkMax) {
        partial = true;
        continue;
      }
      rows.push(rowOf(context, record, content, rows.length));
    }
  }
  return { rows, partial, contentHash: hash.digest('hex') };
}

/** The searchable text of a record: `name: value` lines. */
function recordText(record: SourceRecord, rule: ObjectRule | null): string {
  const names = rule?.text_fields ?? Object.keys(record.fields);
  return names
    .map((name) => [name, record.fields[name]] as const)
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
}

/** What identifies a record within its object. */
export function recordLocator(record: SourceRecord, rule: ObjectRule | null): Locator {
  if (rule?.locator_fields === undefined) return record.key;
  return scalars(record.fields, rule.locator_fields);
}

function rowOf(
  context: RecordsContext,
  record: SourceRecord,
  content: string,
  ordinal: number,
): BareRow {
  const locator = recordLocator(record, context.rule);
  return {
    id: chunkId(context.objectId, 'row_text', locator, ordinal),
    group: context.objectId,
    scope: context.connectorId,
    source: context.source,
    kind: 'row_text',
    ordinal,
    content,
    locator,
    title: record.title ?? context.title,
    mediaType: context.mediaType,
    connectorType: context.connectorType,
    modifiedAt: record.at ?? context.modifiedAt,
    fields: {
      ...context.fields,
      ...scalars(record.fields, context.rule?.metadata_fields ?? Object.keys(record.fields)),
      ...page(record),
    },
  };
}

/** The fields of an object's hits. */
export function fieldsOf(
  entry: Pick<Entry, 'url' | 'author' | 'fields'>,
): Record<string, JsonScalar> {
  return { ...entry.fields, ...page(entry) };
}

/** Where people read it and who wrote it, as fields. */
function page({ url, author }: Pick<Entry, 'url' | 'author'>): Record<string, JsonScalar> {
  return { ...(url === undefined ? {} : { url }), ...(author === undefined ? {} : { author }) };
}

function scalars(
  fields: SourceRecord['fields'],
  names: readonly string[],
): Record<string, JsonScalar> {
  const kept: Record<string, JsonScalar> = {};
  for (const name of names) {
    const value = fields[name];
    if (
      value === null ||
      typeof value === 'string' ||
      typeof value === 'number' ||
      typeof value === 'boolean'
    ) {
      kept[name] = value;
    }
  }
  return kept;
}

/** Splits a long text at line ends or spaces, never inside a surrogate pair. */
function* pieces(text: string, maxChars: number): Generator<string> {
  let start = 0;
  while (text.length - start > maxChars) {
    const window = text.slice(start, start + maxChars);
    const at = Math.max(window.lastIndexOf('\n'), window.lastIndexOf(' '));
    let length = at > maxChars / 2 ? at + 1 : maxChars;
    const last = text.charCodeAt(start + length - 1);
    if (last >= 0xd800 && last <= 0xdbff) length--;
    yield text.slice(start, start + length);
    start += length;
  }
  if (text.slice(start).trim() !== '') yield text.slice(start);
}
