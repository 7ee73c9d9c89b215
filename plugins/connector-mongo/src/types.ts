import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  DBRef,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from 'mongodb';

/** `Timestamp` precedes `Long` because it is a subclass. */
const classes = [
  [ObjectId, 'objectId'],
  [Date, 'date'],
  [Int32, 'int'],
  [Double, 'double'],
  [Timestamp, 'timestamp'],
  [Long, 'long'],
  [Decimal128, 'decimal'],
  [Binary, 'binData'],
  [BSONRegExp, 'regex'],
  [BSONSymbol, 'symbol'],
  [Code, 'javascript'],
  [DBRef, 'object'],
  [MinKey, 'minKey'],
  [MaxKey, 'maxKey'],
] as const;

/** Returns MongoDB's name for the type of a value. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'undefined';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (Array.isArray(value)) return 'array';
  return classes.find(([type]) => value instanceof type)?.[1] ?? 'object';
}
