import type { FieldValue, JsonScalar, RecordKey, SourceRecord } from '@trove/core';
import { placeholder } from '../sources/objects/template.js';
import type { ObjectRule } from '../sources/objects/object-rules.js';
import { valueAt } from '../sources/objects/field-path.js';

/** Longer lists are content and cannot be used in filters. */
const maxListValues = 100;
/** The maximum for all fields of a record, because each of its rows, maybe thousands, carries them. */
const maxFieldChars = 16_384;
/** Longer values do not form groups. */
const maxGroupChars = 500;

/** Returns the locator of a record within its object. */
export function locatorOf({ key, fields }: SourceRecord, rule: ObjectRule | null): RecordKey {
  return rule?.locator_fields === undefined ? key : scalarsOf(fields, rule.locator_fields);
}

/** Returns the group of a record: its thread or the value of the `group_by` field. Null for a record without a group. */
export function groupName(record: SourceRecord, rule: ObjectRule | null): string | null {
  if (rule?.group_by === undefined) return record.thread ?? null;
  const value = fieldOf(record, rule.group_by);
  if (!isScalar(value) || value === null || value === '') return null;
  const name = JSON.stringify(value);
  return name.length > maxGroupChars ? null : name;
}

/** Returns the locator of a group. */
export function groupLocator(name: string, rule: ObjectRule | null): RecordKey {
  if (rule?.group_by === undefined) return { thread: name };
  const value: unknown = JSON.parse(name);
  return { [rule.group_by]: isScalar(value) ? value : null };
}

/** Returns the indexed text of a record: the rule's template, the record's own text, or `name: value` lines. */
export function searchableText(record: SourceRecord, rule: ObjectRule | null): string {
  const { fields, text } = record;
  if (rule?.render !== undefined)
    return rule.render.replace(placeholder, (_, path: string) =>
      toText(fieldOf(record, path.trim())),
    );
  if (rule?.text_fields === undefined && text !== undefined) return text;
  const names = rule?.text_fields ?? Object.keys(fields);
  return names
    .map((name) => [name, toText(fieldOf(record, name))] as const)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

/** Returns a message with its author, as shown and indexed in its thread. Empty for a message without text. */
export function messageText(record: SourceRecord, rule: ObjectRule | null): string {
  const text = searchableText(record, rule).trim();
  return text === '' || record.author === undefined ? text : `${record.author}: ${text}`;
}

/**
 * Returns the named fields that can be used in filters: scalars and lists of scalars. `[]` is removed from names. If
 * the fields are too long together, the longest are left out.
 */
export function fieldValues(
  fields: SourceRecord['fields'],
  names: readonly string[],
): Record<string, FieldValue> {
  const found = names.flatMap((path): NamedValue[] => {
    const value = toFieldValue(valueAt(fields, path));
    if (value === undefined) return [];
    return [[Object.hasOwn(fields, path) ? path : path.replaceAll('[]', ''), value]];
  });
  return Object.fromEntries(limitFields(found));
}

type NamedValue = readonly [name: string, value: FieldValue];

function toFieldValue(value: unknown): FieldValue | undefined {
  if (isScalar(value)) return value;
  if (!Array.isArray(value) || value.length > maxListValues || !value.every(isScalar))
    return undefined;
  const present = value.filter((each) => each !== null);
  return present.length === 0 ? undefined : present;
}

function limitFields(fields: readonly NamedValue[]): readonly NamedValue[] {
  const sizes = fields.map(charsOf);
  if (sizes.reduce((sum, size) => sum + size, 0) <= maxFieldChars) return fields;
  const kept = new Set<NamedValue>();
  let remaining = maxFieldChars;
  for (const field of fields.toSorted((a, b) => charsOf(a) - charsOf(b))) {
    remaining -= charsOf(field);
    if (remaining < 0) break;
    kept.add(field);
  }
  return fields.filter((field) => kept.has(field));
}

function charsOf([name, value]: NamedValue): number {
  if (!Array.isArray(value)) return name.length + String(value).length;
  return value.reduce<number>((sum, each) => sum + String(each).length, name.length);
}

/** Returns a field, or the record's own text, title, author or URL. */
function fieldOf(record: SourceRecord, path: string): unknown {
  const value = valueAt(record.fields, path);
  if (value !== undefined) return value;
  const { text, title, author, url } = record;
  const own: Readonly<Record<string, unknown>> = { text, title, author, url };
  return Object.hasOwn(own, path) ? own[path] : undefined;
}

/** Formats a value as text. Empty for missing values. */
function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every(isScalar))
    return value.filter((each) => each !== null).join(', ');
  return JSON.stringify(value);
}

/** Returns the named fields that hold scalars. */
function scalarsOf(
  fields: SourceRecord['fields'],
  names: readonly string[],
): Record<string, JsonScalar> {
  const kept: Record<string, JsonScalar> = {};
  for (const name of names) {
    const value = valueAt(fields, name);
    if (isScalar(value)) kept[name] = value;
  }
  return kept;
}

function isScalar(value: unknown): value is JsonScalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
