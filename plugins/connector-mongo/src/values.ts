import { maxHexBytes, charLimitOf } from '@trove/connector-kit';
import {
  Binary,
  BSON,
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

/** A decoded document whose numbers keep their BSON types. */
export type BsonDocument = Readonly<Record<string, unknown>>;

/** Decodes a document without loss. Keeps number types, and regular expressions that JavaScript does not support. */
export function decodeDocument(bytes: Uint8Array): BsonDocument {
  return BSON.deserialize(bytes, {
    promoteValues: false,
    promoteLongs: false,
    bsonRegExp: true,
    validation: { utf8: false },
  });
}

/** Yields the members of a document as JSON values. */
export function* renderMembers(document: BsonDocument): Generator<[name: string, value: unknown]> {
  const members = Object.entries(document);
  const maxChars = charLimitOf(members.length);
  for (const [name, value] of members) yield [name, new ValueRenderer(maxChars).render(value)];
}

/** Converts one value into JSON within a limit of characters. */
class ValueRenderer {
  #chars: number;

  constructor(chars: number) {
    this.#chars = chars;
  }

  render(value: unknown): unknown {
    if (Array.isArray(value)) return this.#list(value);
    if (value instanceof DBRef) return this.#members(Object.entries(value.toJSON()));
    const scalar = renderScalar(value);
    if (scalar === undefined) return this.#members(Object.entries(Object(value)));
    return typeof scalar === 'string' ? this.#text(scalar) : this.#scalar(scalar);
  }

  #text(text: string): string {
    const maxChars = Math.max(0, this.#chars);
    this.#chars -= text.length + 3;
    if (text.length <= maxChars) return text;
    // Avoids half of a surrogate pair.
    return text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, '');
  }

  #scalar<T>(scalar: T): T {
    this.#chars -= String(scalar).length + 1;
    return scalar;
  }

  #list(values: readonly unknown[]): unknown[] {
    const rendered: unknown[] = [];
    this.#chars -= 2;
    for (const value of values) {
      if (this.#chars <= 0) return [...rendered, `… ${values.length - rendered.length} more`];
      rendered.push(this.render(value));
    }
    return rendered;
  }

  #members(members: readonly (readonly [string, unknown])[]): object {
    const rendered: [string, unknown][] = [];
    this.#chars -= 2;
    for (const [name, value] of members) {
      if (this.#chars <= 0)
        return { ...asObject(rendered), '…': `${members.length - rendered.length} more` };
      this.#chars -= name.length + 4;
      rendered.push([name, this.render(value)]);
    }
    return asObject(rendered);
  }
}

/** Supports members with any name, including `__proto__`. */
function asObject(members: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(members);
}

/** Returns undefined for a value with members. */
function renderScalar(value: unknown): string | number | boolean | null | undefined {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  const number = toNumber(value);
  if (number !== null) return Number.isFinite(number) ? number : String(number);
  if (value instanceof Date) return formatTime(value);
  if (value instanceof ObjectId) return value.toHexString();
  if (value instanceof Binary) return renderBytes(value);
  if (value instanceof Timestamp)
    return `${formatTime(new Date(value.getHighBitsUnsigned() * 1000))} (${value.getLowBitsUnsigned()})`;
  if (value instanceof Long || value instanceof Decimal128) return value.toString();
  if (value instanceof BSONRegExp) return `/${value.pattern}/${value.options}`;
  if (value instanceof BSONSymbol) return value.value;
  if (value instanceof Code) return value.code;
  if (value instanceof MinKey) return 'MinKey';
  return value instanceof MaxKey ? 'MaxKey' : undefined;
}

/** Returns null for other types, and for integers that would lose digits. */
export function toNumber(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (value instanceof Timestamp) return null;
  if (value instanceof Int32 || value instanceof Double) return value.valueOf();
  if (!(value instanceof Long)) return null;
  const number = value.toNumber();
  return Number.isSafeInteger(number) ? number : null;
}

/** MongoDB can store times beyond the range of `Date`. */
export function formatTime(time: Date): string {
  return Number.isNaN(time.getTime()) ? 'a time out of range' : time.toISOString();
}

function renderBytes(bytes: Binary): string {
  if (bytes.sub_type === Binary.SUBTYPE_UUID && bytes.position === 16)
    return bytes.toUUID().toHexString();
  const { position: length } = bytes;
  const hex = Buffer.from(bytes.value()).toString('hex');
  return length <= maxHexBytes ? `\\x${hex}` : `${length} bytes`;
}
