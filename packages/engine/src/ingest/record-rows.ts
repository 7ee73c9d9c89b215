import { createHash } from 'node:crypto';
import type { Entry, JsonScalar, SourceRecord } from '@trove/core';
import type { BareRow } from '../compute/messages.js';
import { chunkedRecords } from '../content/chunked-records.js';
import { locatorOf, scalarsOf, type RecordContent } from '../content/record-content.js';
import { chunkId } from '../ids.js';

export interface RecordsContext {
  readonly objectId: string;
  readonly connectorId: string;
  readonly connectorType: string;
  readonly source: string;
  /** Of the object; a record's own values take precedence. */
  readonly title: string | null;
  readonly mediaType: string | null;
  readonly modifiedAt: number | null;
  readonly fields: Readonly<Record<string, JsonScalar>>;
  readonly chunkChars: number;
  readonly chunkMax: number;
  readonly settingsKey: string;
}

export interface RecordRows {
  readonly rows: readonly BareRow[];
  readonly partial: boolean;
  readonly contentHash: string;
}

/** Rows of an object made of records: one chunk each, more for a long one; not analysed yet. */
export async function recordRows(
  context: RecordsContext,
  content: RecordContent,
): Promise<RecordRows> {
  const hash = createHash('sha256').update(context.settingsKey);
  const rows: BareRow[] = [];
  let partial = false;
  for await (const { record, texts } of chunkedRecords(content, context.chunkChars)) {
    const { key, fields, title, url, author, at } = record;
    hash.update(JSON.stringify([key, fields, title, url, author, at]));
    for (const text of texts) {
      if (rows.length >= context.chunkMax) {
        partial = true;
        continue;
      }
      rows.push(rowOf(context, record, content.rule, text, rows.length));
    }
  }
  return { rows, partial, contentHash: hash.digest('hex') };
}

function rowOf(
  context: RecordsContext,
  record: SourceRecord,
  rule: RecordContent['rule'],
  content: string,
  ordinal: number,
): BareRow {
  const locator = locatorOf(record, rule);
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
      ...scalarsOf(record.fields, rule?.metadata_fields ?? Object.keys(record.fields)),
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
