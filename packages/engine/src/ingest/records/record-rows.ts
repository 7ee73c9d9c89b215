import type { Entry, FieldValue } from '@trove/core';
import { chunkRecord } from '../../chunking/index.js';
import type { BareRow } from '../../compute/messages.js';
import {
  fieldValues,
  locatorOf,
  searchableText,
  type RecordContent,
} from '../../content/record-content.js';
import { chunkId, recordGroup } from '../../ids.js';
import type { NamedRecord } from './identify.js';

/** What the rows of an object's records have in common. */
export interface RowFacts {
  readonly objectId: string;
  readonly connectorId: string;
  readonly connectorType: string;
  readonly source: string;
  /** Of the object; a record's own values take precedence. */
  readonly title: string | null;
  readonly mediaType: string | null;
  readonly modifiedAt: number | null;
  readonly fields: Readonly<Record<string, FieldValue>>;
  readonly chunkChars: number;
}

/** Rows of one record: one chunk, more for a long one; not analysed yet. */
export function rowsOf(
  facts: RowFacts,
  { record, name }: NamedRecord,
  rule: RecordContent['rule'],
): BareRow[] {
  const group = recordGroup(facts.objectId, name);
  const locator = locatorOf(record, rule);
  const fields = {
    ...facts.fields,
    ...fieldValues(record.fields, rule?.metadata_fields ?? Object.keys(record.fields)),
    ...page(record),
  };
  const texts = chunkRecord(searchableText(record, rule), facts.chunkChars);
  return Array.from(texts, (content, ordinal) => ({
    id: chunkId(group, 'row_text', locator, ordinal),
    group,
    scope: facts.connectorId,
    source: facts.source,
    kind: 'row_text',
    ordinal,
    content,
    locator,
    title: record.title ?? facts.title,
    mediaType: facts.mediaType,
    connectorType: facts.connectorType,
    modifiedAt: record.at ?? facts.modifiedAt,
    fields,
  }));
}

/** The fields of an object's hits. */
export function fieldsOf(
  entry: Pick<Entry, 'url' | 'author' | 'fields'>,
): Record<string, FieldValue> {
  const { fields = {} } = entry;
  return { ...fieldValues(fields, Object.keys(fields)), ...page(entry) };
}

/** Where people read it and who wrote it, as fields. */
function page({ url, author }: Pick<Entry, 'url' | 'author'>): Record<string, FieldValue> {
  return { ...(url === undefined ? {} : { url }), ...(author === undefined ? {} : { author }) };
}
