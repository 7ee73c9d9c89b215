import { createHash } from 'node:crypto';

import { JsonFileBuffer } from '@trove/connector-kit';
import { locatorKey, type JsonScalar, type RecordKey, type SourceRecord } from '@trove/core';
import type { Collection, Document } from 'mongodb';

import { rawDocuments, type MongoReadOptions } from './batch.js';
import { idName, keyOf, filterOfKey } from './ids.js';
import { documentRecord } from './record.js';
import { decodeDocument, type BsonDocument } from './values.js';

/** The key field that holds a digest of the document. */
const rowKey = 'row';
const maxDigests = 1000;

/** A document in the temporary file, without its key. */
type BufferedDocument = readonly [
  id: JsonScalar,
  digest: string,
  record: Omit<SourceRecord, 'key'>,
];

/**
 * Reads views and time series, which have no index of `_id`. Copies all documents into a temporary file first. The key is the
 * `_id` if its values are unique, or else a digest of the document.
 */
export class ViewDocuments {
  readonly #view: Collection;
  readonly #readOptions: MongoReadOptions;

  constructor(view: Collection, readOptions: MongoReadOptions) {
    this.#view = view;
    this.#readOptions = readOptions;
  }

  async *where(filter: Document): AsyncGenerator<SourceRecord> {
    const buffer = await JsonFileBuffer.open();
    try {
      const hasIds = await this.#copy(filter, buffer);
      const duplicates = new DuplicateCounter();
      for await (const buffered of buffer.values()) {
        if (!isBufferedDocument(buffered)) continue;
        const [id, digest, record] = buffered;
        yield {
          key: hasIds ? { [idName]: id } : { [rowKey]: duplicates.uniqueName(digest) },
          ...record,
        };
      }
    } finally {
      await buffer.close();
    }
  }

  async *records(offset: number, limit: number): AsyncGenerator<SourceRecord> {
    let at = 0;
    for await (const record of this.where({})) {
      if (at >= offset + limit) return;
      if (at++ >= offset) yield record;
    }
  }

  async *find(key: RecordKey): AsyncGenerator<SourceRecord> {
    const filter = rowKey in key ? {} : filterOfKey(key);
    if (filter === null) return;
    const wantedKey = locatorKey(key);
    for await (const record of this.where(filter)) {
      if (locatorKey(record.key) !== wantedKey) continue;
      yield record;
      return;
    }
  }

  /** Copies sorted documents, so equal ones are adjacent. Returns whether every `_id` exists and is unique. */
  async #copy(filter: Document, buffer: JsonFileBuffer): Promise<boolean> {
    let hasIds = true;
    let previousId: string | null = null;
    for await (const bytes of this.#sorted(filter)) {
      const document = documentIn(bytes);
      const { [idName]: id = null } = keyOf(document[idName]);
      const name = JSON.stringify(id);
      hasIds &&= idName in document && name !== previousId;
      previousId = name;
      const { key: _, ...record } = documentRecord({}, document);
      await buffer.append([id, digestOf(bytes), record] satisfies BufferedDocument);
    }
    return hasIds;
  }

  /** Wraps each document, because MongoDB can sort by a whole member. */
  async *#sorted(filter: Document): AsyncGenerator<Uint8Array> {
    const stages = [
      { $match: filter },
      { $project: { [idName]: 0, document: '$$ROOT' } },
      { $sort: { [`document.${idName}`]: 1, document: 1 } },
    ];
    const options = { ...rawDocuments, ...this.#readOptions, allowDiskUse: true };
    for await (const bytes of this.#view.aggregate(stages, options))
      if (bytes instanceof Uint8Array) yield bytes;
  }
}

/** Numbers equal documents. They arrive close together, but not always adjacent, because numbers of different types may be equal. */
class DuplicateCounter {
  readonly #counts = new Map<string, number>();

  uniqueName(digest: string): string {
    const duplicates = (this.#counts.get(digest) ?? 0) + 1;
    this.#counts.delete(digest);
    this.#counts.set(digest, duplicates);
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > maxDigests && oldest !== undefined) this.#counts.delete(oldest);
    return duplicates === 1 ? digest : `${digest}-${duplicates}`;
  }
}

function documentIn(bytes: Uint8Array): BsonDocument {
  const { document } = decodeDocument(bytes);
  return typeof document === 'object' && document !== null ? { ...document } : {};
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32);
}

function isBufferedDocument(value: unknown): value is BufferedDocument {
  return Array.isArray(value) && value.length === 3;
}
