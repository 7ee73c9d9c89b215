import { maxBatchBytes } from '@trove/connector-kit';
import { locatorKey, type RecordKey, type SourceRecord } from '@trove/core';
import type { Collection, Document } from 'mongodb';

import { readBatch, rawDocuments, type MongoReadOptions, type DocumentBatch } from './batch.js';
import { idName, keyOf, rangeAfter, fullIdRange, filterOfKey, type IdRange } from './ids.js';
import { documentRecord } from './record.js';
import { decodeDocument, type BsonDocument } from './values.js';

const minBatchDocuments = 16;
const maxBatchDocuments = 1000;

/** The projection of a read that needs only keys. */
const idOnly = { [idName]: 1 } as const;

interface DocumentRange {
  readonly offset: number;
  readonly limit: number;
  readonly keysOnly: boolean;
}

const fullDocumentRange: DocumentRange = { offset: 0, limit: Infinity, keysOnly: false };

/**
 * Reads a collection in batches ordered by `_id`. Each batch is a query that starts after the last `_id`. No cursor stays open
 * between batches, and a lost cursor only ends its batch.
 */
export class CollectionDocuments {
  readonly #collection: Collection;
  readonly #readOptions: MongoReadOptions;

  constructor(collection: Collection, readOptions: MongoReadOptions) {
    this.#collection = collection;
    this.#readOptions = readOptions;
  }

  /** Yields documents that match a filter. */
  async *where(
    filter: Document,
    options: Partial<DocumentRange> = {},
  ): AsyncGenerator<SourceRecord> {
    const { offset, limit, keysOnly } = { ...fullDocumentRange, ...options };
    let range: IdRange = fullIdRange;
    let skip = offset;
    let remaining = limit;
    let batchSize = minBatchDocuments;
    while (remaining > 0) {
      const requested = Math.min(batchSize, remaining);
      const batch = await this.#batch({ $and: [range.filter, filter] }, skip, requested, keysOnly);
      const { documents, bytes } = batch;
      let last: BsonDocument | null = null;
      for (const encoded of documents) {
        last = decodeDocument(encoded);
        yield documentRecord(keyOf(last[idName]), last);
      }
      remaining -= documents.length;
      if (last !== null) range = rangeAfter(last);
      if (!batch.isTruncated && documents.length < requested) {
        if (range.next === null) return;
        range = { filter: range.next, next: null };
      }
      skip = 0;
      batchSize = nextBatchSize(batchSize, bytes / Math.max(1, documents.length));
    }
  }

  async *find(key: RecordKey): AsyncGenerator<SourceRecord> {
    const filter = filterOfKey(key);
    if (filter === null) return;
    const wantedKey = locatorKey(key);
    for await (const record of this.where(filter)) {
      if (locatorKey(record.key) !== wantedKey) continue;
      yield record;
      return;
    }
  }

  #batch(filter: Document, skip: number, limit: number, keysOnly: boolean): Promise<DocumentBatch> {
    const options = {
      ...rawDocuments,
      ...this.#readOptions,
      sort: { [idName]: 1 },
      skip,
      limit,
      batchSize: limit,
      ...(keysOnly ? { projection: idOnly } : {}),
    } as const;
    return readBatch(() => this.#collection.find(filter, options), this.#readOptions);
  }
}

/** Doubles the batch size within the memory limit. */
function nextBatchSize(previousSize: number, bytesPerDocument: number): number {
  const affordable = Math.floor(maxBatchBytes / Math.max(1, bytesPerDocument));
  return Math.max(1, Math.min(maxBatchDocuments, 2 * previousSize, affordable));
}
