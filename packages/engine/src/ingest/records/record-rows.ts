import type { Entry, FieldValue, SourceRecord } from '@trove/core';
import { chunkRecord } from '../../content/chunking/index.js';
import type { UnanalysedRow } from '../../content/compute/messages.js';
import type { RecordContent } from '../../content/record-content.js';
import { fieldValues, locatorOf, searchableText } from '../../content/record-values.js';
import { chunkId, recordGroup } from '../../content/row-ids.js';
import type { NamedRecord } from './identify.js';
import type { Unit } from './unit.js';

/** The values that the rows of all records of an object share. */
export interface RowFacts {
  readonly objectId: string;
  readonly connectorId: string;
  readonly connectorType: string;
  readonly source: string;
  /** Of the object. Values of a record take precedence. */
  readonly title: string | null;
  readonly mediaType: string | null;
  readonly modifiedAt: number | null;
  readonly fields: Readonly<Record<string, FieldValue>>;
  readonly chunkChars: number;
  /** The limit for one record or thread. */
  readonly chunkMax: number;
  readonly rule: RecordContent['rule'];
}

/** Creates the unit of a record outside of threads. A long record has several chunks. */
export function toRecordUnit(facts: RowFacts, { record, name, version }: NamedRecord): Unit {
  const { rule } = facts;
  const group = recordGroup(facts.objectId, name);
  const locator = locatorOf(record, rule);
  const fields = { ...facts.fields, ...allValuesOf(record, rule) };
  const rows: UnanalysedRow[] = [];
  let isTruncated = false;
  for (const content of chunkRecord(searchableText(record, rule), facts.chunkChars)) {
    isTruncated = rows.length === facts.chunkMax;
    if (isTruncated) break;
    const ordinal = rows.length;
    rows.push({
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
    });
  }
  const at = record.at ?? null;
  const state = { key: name, version, chunks: rows.length, thread: null, at, isTruncated };
  return { group, rows, states: [state], removed: [] };
}

/** Returns the fields of a record that filters can use. */
export function valuesOf(
  record: SourceRecord,
  rule: RecordContent['rule'],
): Record<string, FieldValue> {
  const names = rule?.metadata_fields ?? Object.keys(record.fields);
  return { ...fieldValues(record.fields, names), ...pageFields(record) };
}

/** Returns the fields of a record and of its thread that filters can use. */
export function allValuesOf(
  record: SourceRecord,
  rule: RecordContent['rule'],
): Record<string, FieldValue> {
  return { ...valuesOf(record, rule), ...threadValuesOf(record, rule), ...pageFields(record) };
}

/** Returns the fields of a record's thread that filters can use. Null: the record has none. */
export function threadValuesOf(
  { threadFields }: SourceRecord,
  rule: RecordContent['rule'],
): Record<string, FieldValue> | null {
  if (threadFields === undefined) return null;
  return fieldValues(threadFields, rule?.metadata_fields ?? Object.keys(threadFields));
}

/** Returns the fields of an object that filters can use. */
export function fieldsOf(
  entry: Pick<Entry, 'url' | 'author' | 'fields'>,
): Record<string, FieldValue> {
  const { fields = {} } = entry;
  return { ...fieldValues(fields, Object.keys(fields)), ...pageFields(entry) };
}

/** Returns the page and the author as fields. */
function pageFields({ url, author }: Pick<Entry, 'url' | 'author'>): Record<string, FieldValue> {
  return { ...(url === undefined ? {} : { url }), ...(author === undefined ? {} : { author }) };
}
