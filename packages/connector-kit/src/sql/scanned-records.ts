import { createHash } from 'node:crypto';

import { locatorKey, type JsonScalar, type RecordKey, type SourceRecord } from '@trove/core';

import { shortenKey } from '../keys.js';
import { charLimitOf } from '../limits.js';
import { recordOf } from '../record.js';

/** The key field that holds a digest of the row. */
const digestField = 'row';
const digestChars = 32;

/** Makes records of the rows of one scan. */
export class ScannedRecords {
  readonly #columns: readonly string[];
  readonly #key: readonly string[] | null;
  readonly #maxChars: number;
  /** The number of rows by digest, which numbers equal rows. */
  readonly #counts = new Map<string, number>();

  constructor({
    columns,
    key,
  }: {
    readonly columns: readonly string[];
    readonly key: readonly string[] | null;
  }) {
    this.#columns = columns;
    this.#key = key;
    this.#maxChars = charLimitOf(columns.length);
  }

  recordOf(row: readonly unknown[]): SourceRecord {
    const values = this.#columns.map(
      (name, at) => [name, shorten(row[at] ?? null, this.#maxChars)] as const,
    );
    return recordOf(this.#keyOf(row), values);
  }

  hasKey(record: SourceRecord, key: RecordKey): boolean {
    return locatorKey(record.key) === locatorKey(key);
  }

  /** Returns whether a value contains the text. */
  contains({ fields }: SourceRecord, text: string): boolean {
    return Object.values(fields).some((value) => textOf(value).includes(text));
  }

  #keyOf(row: readonly unknown[]): RecordKey {
    if (this.#key === null) return { [digestField]: this.#digestOf(row) };
    return Object.fromEntries(
      this.#key.map((name) => [name, scalarOf(row[this.#columns.indexOf(name)])]),
    );
  }

  /** Equal rows get a number after the digest. */
  #digestOf(row: readonly unknown[]): string {
    const hash = createHash('sha256').update(JSON.stringify(row));
    const digest = hash.digest('hex').slice(0, digestChars);
    const count = (this.#counts.get(digest) ?? 0) + 1;
    this.#counts.set(digest, count);
    return count === 1 ? digest : `${digest}-${count}`;
  }
}

function scalarOf(value: unknown): JsonScalar {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return value === null || value === undefined ? null : shortenKey(textOf(value));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Cuts a long text, also that of a list or an object. */
function shorten(value: unknown, maxChars: number): unknown {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  const text = textOf(value);
  return text.length <= maxChars ? value : text.slice(0, maxChars);
}
