import { TroveError, type FieldValue, type RecordKey, type SourceRecord } from '@trove/core';

import type {
  RecordMapping,
  RecordParts,
  Scope,
  StreamDescription,
  Value,
} from './description/index.js';
import { isList, isRecord, textOf, valueAt } from './json.js';
import { keyPaths, type PlannedStream } from './plan.js';
import { evaluate } from './template.js';
import { timeOf } from './times.js';

const maxFieldValues = 100;

/** Makes a record of an item. Throws if the item has no key or a function of the description throws. */
export async function toRecord(
  stream: PlannedStream,
  item: unknown,
  scope: Scope,
): Promise<SourceRecord> {
  const key = keyOf(stream, item);
  const parts = await recordParts(stream.description.record ?? {}, item, scope);
  const { title, text, at, author, url, version, thread, threadFields, fields, attachments } =
    parts;
  const time = timeOf(at);
  return {
    key,
    fields: isRecord(fields) ? fields : text === undefined && isRecord(item) ? item : {},
    ...textMember('title', title),
    ...textMember('text', text),
    ...(time === undefined ? {} : { at: time }),
    ...textMember('author', author),
    ...textMember('url', url),
    ...textMember('version', version),
    ...textMember('thread', thread),
    ...(isRecord(threadFields) ? { threadFields: fieldValues(threadFields) } : {}),
    ...(Array.isArray(attachments)
      ? { attachments: attachments.flatMap((path) => textOf(path) ?? []) }
      : {}),
  };
}

/** Returns the key of an item. Throws if a member is missing. */
export function keyOf(
  stream: PlannedStream,
  item: unknown,
  own?: StreamDescription['key'],
): RecordKey {
  const members = keyPaths(own ?? stream.description.key).map(([name, path]) => {
    const value = valueAt(item, path);
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
      throw new TroveError('plugin_invalid', `an item of \`${stream.name}\` has no \`${path}\``);
    return [name, value] as const;
  });
  const { keyStream } = stream;
  return { ...(keyStream === null ? {} : { stream: keyStream }), ...Object.fromEntries(members) };
}

/** Evaluates the members of a mapping, or calls the function. */
async function recordParts(
  record: NonNullable<StreamDescription['record']>,
  item: unknown,
  scope: Scope,
): Promise<RecordParts> {
  if (typeof record === 'function') return record(item, scope);
  const { fields, threadFields, ...values } = record;
  return {
    ...(await evaluateAll(values, item, scope)),
    ...(fields === undefined
      ? {}
      : { fields: await evaluateAll(fieldMapping(fields), item, scope) }),
    ...(threadFields === undefined
      ? {}
      : { threadFields: await evaluateAll(threadFields, item, scope) }),
  };
}

/** Evaluates the values of a mapping. Members without a value are left out. */
export async function evaluateAll(
  values: Readonly<Record<string, Value | undefined>>,
  item: unknown,
  scope: Scope,
): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const result = value === undefined ? undefined : await evaluate(value, item, scope);
    if (result !== undefined) found[name] = result;
  }
  return found;
}

/** Keeps scalars and lists of scalars, which threads and entries may have. */
export function fieldValues(values: Readonly<Record<string, unknown>>): Record<string, FieldValue> {
  const kept = Object.entries(values).flatMap(([name, value]): [string, FieldValue][] => {
    if (isScalar(value)) return [[name, value]];
    return Array.isArray(value) ? [[name, value.filter(isScalar).slice(0, maxFieldValues)]] : [];
  });
  // An assignment to `__proto__` would replace the prototype.
  return Object.fromEntries(kept);
}

function fieldMapping(
  fields: NonNullable<RecordMapping['fields']>,
): Readonly<Record<string, Value>> {
  if (!isList(fields)) return fields;
  return Object.fromEntries(fields.map((path) => [path.replaceAll('[]', ''), path]));
}

/** Returns a member with the text of a value, or none. */
export function textMember<N extends string>(
  name: N,
  value: unknown,
): { readonly [K in N]?: string } {
  const text = textOf(value);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a computed name loses its type
  return (text === undefined ? {} : { [name]: text }) as { readonly [K in N]?: string };
}

function isScalar(value: unknown): value is string | number | boolean {
  return (
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    (typeof value === 'number' && Number.isFinite(value))
  );
}
