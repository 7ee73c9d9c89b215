import {
  objectKinds,
  TroveError,
  type BrowseEntry,
  type Change,
  type Entry,
  type GrepItem,
  type Locator,
  type RecordKey,
  type RecordsChange,
  type SourceRecord,
} from '@trove/core';
import { scopeProblem } from './scope-problem.js';

/* Connectors are untrusted. Each function describes the problem of a value, in the terms of the author of the connector. */

const maxChars = {
  path: 32_768,
  text: 1000,
  cursor: 1024 * 1024,
  checkpoint: 100_000,
  url: 8192,
  fingerprint: 10_000,
  thread: 500,
  value: 100_000,
  match: 100_000,
} as const;
const maxCounts = { fields: 500, keyParts: 50 } as const;
const maxRecordChars = 16 * 1024 * 1024;
const kinds: ReadonlySet<unknown> = new Set(objectKinds);
const scriptSchemes: ReadonlySet<string> = new Set(['javascript:', 'data:', 'vbscript:']);

/**
 * Copies the known members of an entry and truncates displayed texts. Assigns members one by one, because a sync copies
 * every entry and spreading is many times slower.
 */
export function copyEntry(entry: Entry): Entry {
  const { path, size, modifiedAt, fingerprint } = entry;
  const { kind, mediaType, identity, title, url, author, fields, keyFields, skip } = entry;
  const copy: { -readonly [Member in keyof Entry]: Entry[Member] } = {
    path,
    size,
    modifiedAt,
    fingerprint,
  };
  if (kind !== undefined) copy.kind = kind;
  if (mediaType !== undefined) copy.mediaType = mediaType;
  if (identity !== undefined) copy.identity = identity;
  if (title !== undefined) copy.title = title.slice(0, maxChars.text);
  if (url !== undefined) copy.url = url;
  if (author !== undefined) copy.author = author.slice(0, maxChars.text);
  if (fields !== undefined) copy.fields = { ...fields };
  if (keyFields !== undefined) copy.keyFields = [...keyFields];
  if (skip !== undefined) copy.skip = skip.slice(0, maxChars.text);
  return copy;
}

export function pathProblem(path: unknown): string | null {
  if (typeof path !== 'string') return '`path` is not a string';
  if (path.length > maxChars.path) return `\`path\` has more than ${maxChars.path} characters`;
  const isClean = path === '' || !/(^|\/)\.{0,2}(\/|$)/.test(path);
  return isClean ? null : `\`path\` is not a clean relative path: ${path.slice(0, 200)}`;
}

/** Describes the problem of an entry with a valid path. */
export function entryProblem(entry: Entry): string | null {
  const { fingerprint, identity, kind, skip, fields, keyFields } = entry;
  // An object with an undefined fingerprint would count as unchanged forever.
  if (fingerprint !== null && typeof fingerprint !== 'string')
    return '`fingerprint` is neither null nor a string';
  if (fingerprint !== null && fingerprint.length > maxChars.fingerprint)
    return `\`fingerprint\` has more than ${maxChars.fingerprint} characters`;
  return (
    factsProblem(entry) ??
    (kind === undefined || kinds.has(kind) ? null : '`kind` is not a kind of object') ??
    textProblem('identity', identity, maxChars.text) ??
    (skip === undefined || typeof skip === 'string' ? null : '`skip` is not a string') ??
    peopleProblem(entry) ??
    (fields === undefined ? null : fieldsProblem('fields', fields)) ??
    (keyFields === undefined ? null : keyFieldsProblem(keyFields))
  );
}

function keyFieldsProblem(names: unknown): string | null {
  if (!Array.isArray(names) || names.length === 0 || names.length > maxCounts.keyParts)
    return `\`keyFields\` must be 1 to ${maxCounts.keyParts} names`;
  if (!names.every((name) => typeof name === 'string' && name.length <= maxChars.text))
    return '`keyFields` contains something other than names';
  if (new Set(names).size < names.length) return '`keyFields` names a field twice';
  const taken = reservedName(names);
  return taken === null ? null : `\`keyFields\` must not contain \`${taken}\``;
}

/** Locators use these members for parts of a text. */
function reservedName(names: readonly string[]): string | null {
  return ['lines', 'chars'].find((name) => names.includes(name)) ?? null;
}

function factsProblem(facts: Pick<Entry, 'size' | 'modifiedAt' | 'mediaType'>): string | null {
  const { size, modifiedAt, mediaType } = facts;
  if (size !== null && (!Number.isSafeInteger(size) || size < 0))
    return '`size` is neither null nor a number of bytes';
  if (modifiedAt !== null && !Number.isFinite(modifiedAt))
    return '`modifiedAt` is neither null nor a number of milliseconds';
  return mediaType === null ? null : textProblem('mediaType', mediaType, maxChars.text);
}

function peopleProblem({
  title,
  url,
  author,
}: Pick<Entry, 'title' | 'url' | 'author'>): string | null {
  if (title !== undefined && typeof title !== 'string') return '`title` is not a string';
  if (author !== undefined && typeof author !== 'string') return '`author` is not a string';
  if (url === undefined) return null;
  const problem = textProblem('url', url, maxChars.url);
  if (problem !== null) return problem;
  return URL.canParse(url) && !scriptSchemes.has(new URL(url).protocol)
    ? null
    : '`url` is not the absolute URL of a page';
}

function textProblem(member: string, value: unknown, limit: number): string | null {
  if (value === undefined) return null;
  if (typeof value !== 'string') return `\`${member}\` is not a string`;
  return value.length <= limit ? null : `\`${member}\` has more than ${limit} characters`;
}

function fieldsProblem(member: string, fields: unknown): string | null {
  if (!isMap(fields)) return `\`${member}\` is not an object`;
  const values = Object.entries(fields);
  if (values.length > maxCounts.fields)
    return `\`${member}\` has more than ${maxCounts.fields} members`;
  for (const [name, value] of values) {
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    const field = `\`${member}.${name.slice(0, 100)}\``;
    if (!list.every(isScalar))
      return `${field} is neither a string, a finite number, a boolean, null nor a list of them`;
    if (list.length > maxCounts.fields) return `${field} has more than ${maxCounts.fields} values`;
    if (list.some((each) => typeof each === 'string' && each.length > maxChars.value))
      return `${field} has more than ${maxChars.value} characters`;
  }
  return null;
}

/** `mustRead`: the path of an object with unusable record changes. */
export type UsableChange = Change | { readonly mustRead: string };

/** `isFirst`: no change was yielded before it. */
export function changeProblem(change: UsableChange, isFirst: boolean): string | null {
  if (!isMap(change)) return 'it is not an object';
  if ('entry' in change) return isMap(change.entry) ? null : '`entry` is not an object';
  if ('reset' in change) return isFirst ? null : '`reset` comes after other changes';
  if ('records' in change) return recordsChangeProblem(change);
  if ('checkpoint' in change) return checkpointProblem(change.checkpoint);
  if ('mustRead' in change || typeof change.removed !== 'string')
    return 'it has neither `entry` nor `removed`';
  return pathProblem(change.removed)?.replace('`path`', '`removed`') ?? null;
}

function recordsChangeProblem({
  path,
  records,
  removedKeys,
  total,
  complete,
}: RecordsChange): string | null {
  const wrong = pathProblem(path);
  if (wrong !== null) return wrong;
  if (!Array.isArray(records)) return '`records` is not an array';
  if (!Array.isArray(removedKeys)) return '`removedKeys` is not an array';
  if (total !== undefined && !(Number.isSafeInteger(total) && total >= 0))
    return '`total` is not a number of records';
  for (const key of removedKeys) {
    const problem = isMap(key) ? keyProblem(key) : '`key` is not an object';
    if (problem !== null) return problem.replace('`key`', 'a key of `removedKeys`');
  }
  return complete === undefined ? null : scopeProblem(complete, maxChars.thread);
}

export function cursorProblem(cursor: unknown): string | null {
  return jsonProblem(cursor, maxChars.cursor);
}

export function checkpointProblem(token: unknown): string | null {
  return jsonProblem(token, maxChars.checkpoint);
}

function jsonProblem(value: unknown, max: number): string | null {
  if (value === undefined) return 'it is undefined';
  const length = lengthOf(value);
  if (length === null) return `it cannot be written as JSON (it is a ${typeof value})`;
  return length <= max ? null : `it has more than ${max} characters`;
}

/** `keyFields`: the key fields according to the object's entry. */
export function recordProblem(record: SourceRecord, keyFields?: readonly string[]): string | null {
  if (!isMap(record) || !isMap(record.key) || !isMap(record.fields))
    return '`key` and `fields` must be objects';
  const { at, text, version, thread, threadFields, attachments } = record;
  return (
    keyProblem(record.key, keyFields) ??
    (at === undefined || Number.isFinite(at) ? null : '`at` is not a number of milliseconds') ??
    textProblem('text', text, maxRecordChars) ??
    textProblem('version', version, maxChars.fingerprint) ??
    textProblem('thread', thread, maxChars.thread) ??
    (threadFields === undefined ? null : fieldsProblem('threadFields', threadFields)) ??
    (attachments === undefined ? null : attachmentsProblem(attachments)) ??
    peopleProblem(record) ??
    valuesProblem(record.fields)
  );
}

/** Truncates the displayed texts of a record, because every chunk repeats them. */
export function truncateRecord(record: SourceRecord): SourceRecord {
  const { title, author } = record;
  if (!isLong(title) && !isLong(author)) return record;
  return {
    ...record,
    ...(title === undefined ? {} : { title: title.slice(0, maxChars.text) }),
    ...(author === undefined ? {} : { author: author.slice(0, maxChars.text) }),
  };
}

function isLong(text: string | undefined): boolean {
  return text !== undefined && text.length > maxChars.text;
}

/** Returns the key of an otherwise invalid record. */
export function validKey(record: unknown, keyFields?: readonly string[]): RecordKey | null {
  if (!isMap(record) || !('key' in record)) return null;
  const { key } = record;
  return isMap(key) && isKeyOf(key, keyFields) ? key : null;
}

function isKeyOf(key: object, keyFields?: readonly string[]): key is RecordKey {
  return keyProblem(key, keyFields) === null;
}

function attachmentsProblem(paths: unknown): string | null {
  if (!Array.isArray(paths)) return '`attachments` is not an array';
  if (paths.length > maxCounts.fields)
    return `\`attachments\` has more than ${maxCounts.fields} paths`;
  const problem = paths.map(pathProblem).find((each) => each !== null);
  return problem?.replace('`path`', 'a path of `attachments`') ?? null;
}

function keyProblem(key: object, keyFields?: readonly string[]): string | null {
  const names = Object.keys(key);
  const parts: unknown[] = Object.values(key);
  if (keyFields !== undefined && !isNamed(names, keyFields))
    return `\`key\` consists of ${names.join(', ').slice(0, 200)}, not of the \`keyFields\` of its entry`;
  if (parts.length > maxCounts.keyParts)
    return `\`key\` has more than ${maxCounts.keyParts} members`;
  const taken = reservedName(names);
  if (taken !== null) return `\`key\` must not contain the reserved name \`${taken}\``;
  if (!parts.every(isScalar))
    return '`key` contains something other than strings, finite numbers, booleans and null';
  return parts.some((part) => typeof part === 'string' && part.length > maxChars.text)
    ? `\`key\` contains a string of more than ${maxChars.text} characters`
    : null;
}

/** Values that are not JSON cannot be indexed. */
function valuesProblem(fields: Readonly<Record<string, unknown>>): string | null {
  let size = 0;
  for (const [name, value] of Object.entries(fields)) {
    const length = lengthOf(value);
    if (length === null)
      return `\`fields.${name.slice(0, 100)}\` cannot be written as JSON (it holds a ${typeof value})`;
    size += length;
  }
  return size <= maxRecordChars ? null : '`fields` has more than 16 MiB';
}

/** Returns the length of a value as JSON, or null if it is not JSON. */
function lengthOf(value: unknown): number | null {
  if (typeof value === 'string') return value.length;
  if (['bigint', 'function', 'symbol'].includes(typeof value)) return null;
  if (typeof value !== 'object' || value === null) return 8;
  try {
    return JSON.stringify(value).length;
  } catch {
    return null;
  }
}

export function browseProblem(entry: BrowseEntry): string | null {
  if (!isMap(entry)) return 'it is not an object';
  const { name, type, realId, skip } = entry;
  if (typeof name !== 'string' || name === '' || /\/|^\.{1,2}$/.test(name))
    return '`name` is not the name of one level';
  if (type !== 'file' && type !== 'dir') return "`type` is neither 'file' nor 'dir'";
  if (skip !== undefined && (typeof skip !== 'string' || skip === ''))
    return '`skip` is not a string';
  return (
    textProblem('name', name, maxChars.path) ??
    textProblem('realId', realId, maxChars.text) ??
    factsProblem(entry)
  );
}

export function grepProblem(item: GrepItem): string | null {
  if (!isMap(item)) return 'it is not an object';
  if ('notice' in item) return typeof item.notice === 'string' ? null : '`notice` is not a string';
  const wrong = pathProblem(item.path);
  if (wrong !== null) return wrong;
  if (typeof item.content !== 'string') return '`content` is not a string';
  if ('key' in item) return isMap(item.key) ? keyProblem(item.key) : '`key` is not an object';
  if (!isRange(item.lines)) return '`lines` must be two line numbers from 1, the smaller first';
  return isMap(item.match) && isRange(item.match.lines) && isRange([1, item.match.column])
    ? null
    : '`match` must have `lines` like those and a `column` from 1';
}

function isRange(lines: unknown): boolean {
  const [first, last, ...others]: unknown[] = Array.isArray(lines) ? lines : [];
  const areLines = typeof first === 'number' && typeof last === 'number' && others.length === 0;
  return (
    areLines &&
    Number.isSafeInteger(first) &&
    Number.isSafeInteger(last) &&
    first >= 1 &&
    last >= first
  );
}

/** Truncates a match to the maximum length for display. */
export function truncateMatch(item: GrepItem): GrepItem {
  if ('notice' in item) return { notice: item.notice.slice(0, maxChars.text) };
  return item.content.length <= maxChars.match
    ? item
    : { ...item, content: item.content.slice(0, maxChars.match) };
}

/** Converts a caller's locator to the key of a record. Throws `validation_error`. */
export function toRecordKey(locator: Locator, keyFields?: readonly string[]): RecordKey {
  if (keyFields !== undefined && !isNamed(Object.keys(locator), keyFields)) {
    const names = keyFields.map((name) => `\`${name}\``).join(', ');
    throw new TroveError(
      'validation_error',
      `locator: a record of this object is named by ${names}`,
    );
  }
  if (isKey(locator)) return locator;
  const problem = keyProblem(locator) ?? '';
  throw new TroveError(
    'validation_error',
    `locator: ${problem.replace('`key`', 'a key of a record')}`,
  );
}

function isKey(locator: Locator): locator is RecordKey {
  return keyProblem(locator) === null;
}

/** Whether the names are equal, in any order. */
function isNamed(names: readonly string[], wanted: readonly string[]): boolean {
  return names.length === wanted.length && wanted.every((name) => names.includes(name));
}

function isMap(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isScalar(value: unknown): boolean {
  return typeof value === 'number'
    ? Number.isFinite(value)
    : value === null || typeof value === 'string' || typeof value === 'boolean';
}
