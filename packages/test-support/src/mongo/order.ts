import { Binary, Decimal128, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';

/** The order in which MongoDB sorts values of different types. */
const inOrder = [
  'minKey',
  'null',
  'number',
  'string',
  'object',
  'array',
  'binData',
  'objectId',
  'bool',
  'date',
  'timestamp',
  'regex',
  'maxKey',
];

/** Returns MongoDB's type names of a value. Numbers have two names. */
export function typesOf(value: unknown, isThere = true): readonly string[] {
  if (!isThere) return [];
  if (value === null || value === undefined) return ['null'];
  if (typeof value === 'number') return ['number', Number.isInteger(value) ? 'int' : 'double'];
  if (value instanceof Timestamp) return ['timestamp'];
  if (value instanceof Long) return ['number', 'long'];
  if (value instanceof Decimal128) return ['number', 'decimal'];
  if (typeof value === 'string') return ['string'];
  if (typeof value === 'boolean') return ['bool'];
  if (Array.isArray(value)) return ['array'];
  if (value instanceof Binary) return ['binData'];
  if (value instanceof ObjectId) return ['objectId'];
  if (value instanceof Date) return ['date'];
  if (value instanceof RegExp) return ['regex'];
  if (value instanceof MinKey) return ['minKey'];
  return [value instanceof MaxKey ? 'maxKey' : 'object'];
}

export function compareValues(a: unknown, b: unknown): number {
  const [ofA, ofB] = [rankOf(a), rankOf(b)];
  if (ofA !== ofB) return ofA - ofB;
  const [x, y] = [comparable(a), comparable(b)];
  if (Array.isArray(x) && Array.isArray(y)) {
    for (let at = 0; at < Math.min(x.length, y.length); at++) {
      const order = compareValues(x[at], y[at]);
      if (order !== 0) return order;
    }
    return x.length - y.length;
  }
  if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(y)) - Number(Number.isNaN(x));
  return isLess(x, y) ? -1 : isLess(y, x) ? 1 : 0;
}

function rankOf(value: unknown): number {
  return inOrder.indexOf(typesOf(value)[0] ?? 'null');
}

function isLess(a: unknown, b: unknown): boolean {
  if (typeof a === 'string' && typeof b === 'string')
    return Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
  return Number(a) < Number(b);
}

/** Returns a number, a text, or a list of them. */
function comparable(value: unknown): unknown {
  if (value instanceof Date) return value.getTime();
  if (value instanceof ObjectId) return value.toHexString();
  if (value instanceof Binary)
    return [value.position, value.sub_type, Buffer.from(value.value()).toString('hex')];
  if (value instanceof Timestamp || value instanceof Long) return Number(value.toBigInt());
  if (value instanceof Decimal128) return Number(value.toString());
  if (typesOf(value)[0] === 'object')
    return Object.entries(Object(value)).flatMap(([name, member]) => [
      inOrder.indexOf(typesOf(member)[0] ?? ''),
      name,
      member,
    ]);
  return value;
}
