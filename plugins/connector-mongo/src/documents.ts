import { bytesAtOnce } from '@trove/connector-kit';
import { locatorKey, type RecordKey, type SourceRecord } from '@trove/core';
import type { Collection, Document } from 'mongodb';

import { batchOf, stored, type Asking, type Batch } from './asking.js';
import { idName, keyOf, stretchAfter, wholeCollection, withKey, type Stretch } from './ids.js';
import { documentRecord } from './record.js';
import { decoded, type Stored } from './values.js';

const fewestAtOnce = 16;
const mostAtOnce = 1000;

/** The only field that is wanted, if not all are. */
const idOnly = { [idName]: 1 } as const;

interface Some {
  readonly offset: number;
  readonly limit: number;
  readonly keysOnly: boolean;
}

const all: Some = { offset: 0, limit: Infinity, keysOnly: false };

/**
 * The documents of a collection in the order of `_id`, a part at a time, each by a question of its own that goes on after the
 * last `_id`: no cursor is open while others work on what was read, and a cursor that is lost only ends a part.
 */
export class Documents {
  readonly #collection: Collection;
  readonly #asking: Asking;

  constructor(collection: Collection, asking: Asking) {
    this.#collection = collection;
    this.#asking = asking;
  }

  /** Those that a filter leaves. */
  async *where(filter: Document, some: Partial<Some> = {}): AsyncGenerator<SourceRecord> {
    const { offset, limit, keysOnly } = { ...all, ...some };
    let stretch: Stretch = wholeCollection;
    let skip = offset;
    let left = limit;
    let wanted = fewestAtOnce;
    while (left > 0) {
      const asked = Math.min(wanted, left);
      const batch = await this.#batch({ $and: [stretch.filter, filter] }, skip, asked, keysOnly);
      const { documents, bytes } = batch;
      let last: Stored | null = null;
      for (const bytesOfOne of documents) {
        last = decoded(bytesOfOne);
        yield documentRecord(keyOf(last[idName]), last);
      }
      left -= documents.length;
      if (last !== null) stretch = stretchAfter(last);
      if (!batch.isTruncated && documents.length < asked) {
        if (stretch.next === null) return;
        stretch = { filter: stretch.next, next: null };
      }
      skip = 0;
      wanted = nextWanted(wanted, bytes / Math.max(1, documents.length));
    }
  }

  async *find(key: RecordKey): AsyncGenerator<SourceRecord> {
    const filter = withKey(key);
    if (filter === null) return;
    const wanted = locatorKey(key);
    for await (const record of this.where(filter)) {
      if (locatorKey(record.key) !== wanted) continue;
      yield record;
      return;
    }
  }

  #batch(filter: Document, skip: number, limit: number, keysOnly: boolean): Promise<Batch> {
    const options = {
      ...stored,
      ...this.#asking,
      sort: { [idName]: 1 },
      skip,
      limit,
      batchSize: limit,
      ...(keysOnly ? { projection: idOnly } : {}),
    } as const;
    return batchOf(() => this.#collection.find(filter, options), this.#asking);
  }
}

/** More at a time, as long as they can be held in memory. */
function nextWanted(before: number, bytesOfOne: number): number {
  const affordable = Math.floor(bytesAtOnce / Math.max(1, bytesOfOne));
  return Math.max(1, Math.min(mostAtOnce, 2 * before, affordable));
}
