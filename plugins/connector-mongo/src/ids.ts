import { isShortened, shortenKey } from '@trove/connector-kit';
import type { JsonScalar, RecordKey } from '@trove/core';
import { Binary, BSON, ObjectId, type Document } from 'mongodb';

import { typeOf } from './types.js';
import { formatTime, toNumber, type BsonDocument } from './values.js';

/** The member of keys that holds the `_id` of a document. */
export const idName = '_id';

const objectIdText = /^[0-9a-f]{24}$/;

/**
 * An `_id` as a scalar, so that no two are alike: an ObjectId as its digits; texts, numbers, booleans and null as they are; all
 * else in MongoDB's Extended JSON. A text that looks like one of the others is put in quotation marks.
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

/** As in Extended JSON, but with numbers as they are wherever nothing is lost. */
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

/** Documents among which is the one with a key, if there is one. Null: none can have it. */
export function filterOfKey(key: RecordKey): Document | null {
  const { [idName]: shown, ...others } = key;
  if (shown === undefined || Object.keys(others).length > 0) return null;
  if (typeof shown === 'string' && isShortened(shown)) return prefixFilterOf(shown);
  const id = idOf(shown);
  return id === undefined ? null : { [idName]: { $eq: id } };
}

/** Documents whose `_id` begins like one that has been shortened. */
function prefixFilterOf(shown: string): Document {
  if (shown.startsWith('{')) return { [idName]: { $type: 'object' } };
  if (shown.startsWith('"')) return { [idName]: { $type: 'string' } };
  const beginning = shown.slice(0, shown.lastIndexOf('…'));
  return { [idName]: { $regex: `^${escapeRegExp(beginning)}` } };
}

/** Undefined: the text is no `_id` as it is shown. */
function idOf(shown: JsonScalar): unknown {
  if (typeof shown !== 'string') return shown;
  if (objectIdText.test(shown)) return new ObjectId(shown);
  if (!/^["{]/.test(shown)) return shown;
  try {
    return BSON.EJSON.parse(shown, { relaxed: false });
  } catch {
    return undefined;
  }
}

/** A text as a regular expression that finds nothing else. */
export function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('\0', '\\x00');
}

/** What a filter takes for the types of an `_id`, in the order in which an index sorts them. */
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

/** Where a reader has come to in the order of `_id`: what is to be read next, and what comes after that. */
export interface IdRange {
  readonly filter: Document;
  /** Null: nothing does. */
  readonly next: Document | null;
}

export const fullIdRange: IdRange = { filter: {}, next: null };

/** What comes after a document. A comparison finds values of the same type only, so that those of later types follow. */
export function rangeAfter({ [idName]: id }: BsonDocument): IdRange {
  const isNone = Number.isNaN(toNumber(id));
  const filter = isNone ? { [idName]: { $gte: -Infinity, $ne: NaN } } : { [idName]: { $gt: id } };
  const later = typesInOrder.slice(typeRankOf(id) + 1).flat();
  return { filter, next: later.length === 0 ? null : { [idName]: { $type: later } } };
}

function typeRankOf(id: unknown): number {
  const type = typeOf(id);
  const alias = ['int', 'long', 'double', 'decimal'].includes(type) ? 'number' : type;
  return typesInOrder.findIndex((types) => types.some((each) => each === alias));
}
