import { isShortened, shortenKey } from '@trove/connector-kit';
import type { JsonScalar, RecordKey } from '@trove/core';
import { Binary, BSON, ObjectId, type Document } from 'mongodb';

import { typeOf } from './types.js';
import { formatTime, toNumber, type BsonDocument } from './values.js';

/** The key field that holds the `_id` of a document. */
export const idName = '_id';

const objectIdText = /^[0-9a-f]{24}$/;

/**
 * Returns a key that is unique for the `_id`. An ObjectId becomes its 24 digits. Texts, numbers, booleans and null stay
 * unchanged, and other types become Extended JSON. A text that looks like one of these is quoted.
 */
export function keyOf(id: unknown): RecordKey {
  return { [idName]: shortenKey(scalarOf(id)) };
}

function scalarOf(id: unknown): JsonScalar {
  if (id === null || id === undefined) return null;
  if (typeof id === 'boolean') return id;
  if (typeof id === 'string')
    return objectIdText.test(id) || /^["{]/.test(id) ? JSON.stringify(id) : id;
  if (id instanceof ObjectId) return id.toHexString();
  const number = toNumber(id);
  return number !== null && Number.isFinite(number) ? number : JSON.stringify(toExtendedJson(id));
}

/** Returns Extended JSON with plain numbers where no digits are lost. */
function toExtendedJson(value: unknown): unknown {
  const number = toNumber(value);
  if (number !== null && Number.isFinite(number)) return number;
  if (value instanceof Date && !Number.isNaN(value.getTime())) return { $date: formatTime(value) };
  if (value instanceof Binary && value.sub_type === Binary.SUBTYPE_UUID && value.position === 16)
    return { $uuid: value.toUUID().toHexString() };
  if (Array.isArray(value)) return value.map(toExtendedJson);
  if (Object.getPrototypeOf(Object(value)) !== Object.prototype || typeof value !== 'object')
    return BSON.EJSON.serialize(value, { relaxed: false });
  const members = Object.entries(Object(value));
  return Object.fromEntries(members.map(([name, each]) => [name, toExtendedJson(each)]));
}

/** Returns a filter for a superset of the documents with this key, or null if no document can have it. */
export function filterOfKey(key: RecordKey): Document | null {
  const { [idName]: keyValue, ...others } = key;
  if (keyValue === undefined || Object.keys(others).length > 0) return null;
  if (typeof keyValue === 'string' && isShortened(keyValue)) return prefixFilterOf(keyValue);
  const id = idOf(keyValue);
  return id === undefined ? null : { [idName]: { $eq: id } };
}

/** Returns a filter for documents whose `_id` starts like a shortened one. */
function prefixFilterOf(keyValue: string): Document {
  if (keyValue.startsWith('{')) return { [idName]: { $type: 'object' } };
  if (keyValue.startsWith('"')) return { [idName]: { $type: 'string' } };
  const prefix = keyValue.slice(0, keyValue.lastIndexOf('…'));
  return { [idName]: { $regex: `^${escapeRegExp(prefix)}` } };
}

/** Returns undefined if the text is not a valid key. */
function idOf(keyValue: JsonScalar): unknown {
  if (typeof keyValue !== 'string') return keyValue;
  if (objectIdText.test(keyValue)) return new ObjectId(keyValue);
  if (!/^["{]/.test(keyValue)) return keyValue;
  try {
    return BSON.EJSON.parse(keyValue, { relaxed: false });
  } catch {
    return undefined;
  }
}

/** Returns a regular expression that matches only this text. */
export function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('\0', '\\x00');
}

/** The types of an `_id` in filters, in the sort order of an index. */
const typesInOrder = [
  ['minKey'],
  ['undefined', 'null'],
  ['number'],
  ['symbol', 'string'],
  ['object'],
  ['array'],
  ['binData'],
  ['objectId'],
  ['bool'],
  ['date'],
  ['timestamp'],
  ['regex', 'dbPointer', 'javascript', 'javascriptWithScope', 'maxKey'],
] as const;

/** Documents of one type of `_id` that follow a position, and the range after them. */
export interface IdRange {
  readonly filter: Document;
  /** The filter for later types, or null. */
  readonly next: Document | null;
}

export const fullIdRange: IdRange = { filter: {}, next: null };

/** Returns the range after a document. A comparison matches only values of the same type, so later types need `next`. */
export function rangeAfter({ [idName]: id }: BsonDocument): IdRange {
  const isNotANumber = Number.isNaN(toNumber(id));
  const filter = isNotANumber
    ? { [idName]: { $gte: -Infinity, $ne: NaN } }
    : { [idName]: { $gt: id } };
  const later = typesInOrder.slice(typeRankOf(id) + 1).flat();
  return { filter, next: later.length === 0 ? null : { [idName]: { $type: later } } };
}

function typeRankOf(id: unknown): number {
  const type = typeOf(id);
  const alias = ['int', 'long', 'double', 'decimal'].includes(type) ? 'number' : type;
  return typesInOrder.findIndex((types) => types.some((each) => each === alias));
}
