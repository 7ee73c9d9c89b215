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
 * Reads a collection in the order of `_id`, in batches. Each batch is a query that starts after the last `_id`, so no cursor
 * stays open between batches, and a lost cursor only ends its batch.
 */
export class CollectionDocuments {
  readonly #collection: Collection;
  readonly #asking: MongoReadOptions;

  constructor(collection: Collection, asking: MongoReadOptions) {
    this.#collection = collection;
    this.#asking = asking;
  }

  /** Yields documents that match a filter. */
  async *where(filter: Document, some: Partial<DocumentRange> = {}): AsyncGenerator<SourceRecord> {
    const { offset, limit, keysOnly } = { ...fullDocumentRange, ...some };
    let stretch: IdRange = fullIdRange;
    let skip = offset;
    let left = limit;
    let wanted = minBatchDocuments;
    while (left > 0) {
      const asked = Math.min(wanted, left);
      const batch = await this.#batch({ $and: [stretch.filter, filter] }, skip, asked, keysOnly);
      const { documents, bytes } = batch;
      let last: BsonDocument | null = null;
      for (const bytesOfOne of documents) {
        last = decodeDocument(bytesOfOne);
        yield documentRecord(keyOf(last[idName]), last);
      }
      left -= documents.length;
      if (last !== null) stretch = rangeAfter(last);
      if (!batch.isTruncated && documents.length < asked) {
        if (stretch.next === null) return;
        stretch = { filter: stretch.next, next: null };
      }
      skip = 0;
      wanted = nextBatchSize(wanted, bytes / Math.max(1, documents.length));
    }
  }

  async *find(key: RecordKey): AsyncGenerator<SourceRecord> {
    const filter = filterOfKey(key);
    if (filter === null) return;
    const wanted = locatorKey(key);
    for await (const record of this.where(filter)) {
      if (locatorKey(record.key) !== wanted) continue;
      yield record;
      return;
    }
  }

  #batch(filter: Document, skip: number, limit: number, keysOnly: boolean): Promise<DocumentBatch> {
    const options = {
      ...rawDocuments,
      ...this.#asking,
      sort: { [idName]: 1 },
      skip,
      limit,
      batchSize: limit,
      ...(keysOnly ? { projection: idOnly } : {}),
    } as const;
    return readBatch(() => this.#collection.find(filter, options), this.#asking);
  }
}

/** Doubles the batch size within the memory limit. */
function nextBatchSize(before: number, bytesOfOne: number): number {
  const affordable = Math.floor(maxBatchBytes / Math.max(1, bytesOfOne));
  return Math.max(1, Math.min(maxBatchDocuments, 2 * before, affordable));
}
