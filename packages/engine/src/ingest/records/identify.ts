import { hash } from 'node:crypto';
import type { SourceRecord } from '@trove/core';
import type { ObjectPlan } from '../../sources/objects/object-plan.js';
import { groupName } from '../../content/record-values.js';
import { recordName } from '../../content/row-ids.js';

/** A record with the values that are compared with the store. */
export interface NamedRecord {
  readonly record: SourceRecord;
  readonly name: string;
  readonly version: string;
  /** The thread of a message. Null: the record is a unit of its own. */
  readonly thread: string | null;
}

/** Maps records by name. The first of several records with the same key counts. `onRepeated` receives the names of the others. */
export function identifyRecords(
  records: readonly SourceRecord[],
  { rule, settingsKey }: Pick<ObjectPlan, 'rule' | 'settingsKey'>,
  onRepeated: (name: string) => void = () => undefined,
): Map<string, NamedRecord> {
  const named = new Map<string, NamedRecord>();
  const mark = settingsMark(settingsKey);
  for (const record of records) {
    const name = recordName(record.key);
    if (named.has(name)) {
      onRepeated(name);
      continue;
    }
    const version = `${mark}${contentMark(record, name)}`;
    named.set(name, { record, name, version, thread: groupName(record, rule) });
  }
  return named;
}

/** Returns the beginning of the versions of records that were indexed with these settings. */
export function settingsMark(settingsKey: string): string {
  return hash('sha256', settingsKey, 'base64url').slice(0, 8);
}

/** Equal for records that yield equal rows with equal settings. */
function contentMark(record: SourceRecord, name: string): string {
  const { version, fields, text, title, url, author, at, thread, threadFields } = record;
  const content =
    version === undefined
      ? [fields, text, title, url, author, at, thread, threadFields]
      : ['version', version, thread];
  return hash('sha256', JSON.stringify([name, content]), 'base64url').slice(0, 24);
}
