import { createHash } from 'node:crypto';

import { Spool } from '@trove/connector-kit';
import { locatorKey, type JsonScalar, type RecordKey, type SourceRecord } from '@trove/core';
import type { Collection, Document } from 'mongodb';

import { stored, type Asking } from './asking.js';
import { idName, keyOf, withKey } from './ids.js';
import { documentRecord } from './record.js';
import { decoded, type Stored } from './values.js';

/** The member of a key that holds a digest of the document. */
const rowKey = 'row';
const digestsKept = 1000;

/** A document on its way through a temporary file, without its key. */
type Kept = readonly [id: JsonScalar, digest: string, record: Omit<SourceRecord, 'key'>];

/**
 * The documents of what has no index of `_id`: views and time series. All are read at once, into a temporary file. Each is
 * known by its `_id` if no two share one, or else by a digest of it.
 */
export class WholeView {
  readonly #view: Collection;
  readonly #asking: Asking;

  constructor(view: Collection, asking: Asking) {
    this.#view = view;
    this.#asking = asking;
  }

  async *where(filter: Document): AsyncGenerator<SourceRecord> {
    const spool = await Spool.open();
    try {
      const hasIds = await this.#copy(filter, spool);
      const copies = new Copies();
      for await (const kept of spool.values()) {
        if (!isKept(kept)) continue;
        const [id, digest, record] = kept;
        yield { key: hasIds ? { [idName]: id } : { [rowKey]: copies.named(digest) }, ...record };
      }
    } finally {
      await spool.close();
    }
  }

  async *some(offset: number, limit: number): AsyncGenerator<SourceRecord> {
    let at = 0;
    for await (const record of this.where({})) {
      if (at >= offset + limit) return;
      if (at++ >= offset) yield record;
    }
  }

  async *find(key: RecordKey): AsyncGenerator<SourceRecord> {
    const filter = rowKey in key ? {} : withKey(key);
    if (filter === null) return;
    const wanted = locatorKey(key);
    for await (const record of this.where(filter)) {
      if (locatorKey(record.key) !== wanted) continue;
      yield record;
      return;
    }
  }

  /** Whether no two share an `_id`, and none lacks one. Those that are alike in all follow each other. */
  async #copy(filter: Document, spool: Spool): Promise<boolean> {
    let hasIds = true;
    let before: string | null = null;
    for await (const bytes of this.#sorted(filter)) {
      const document = documentIn(bytes);
      const { [idName]: id = null } = keyOf(document[idName]);
      const name = JSON.stringify(id);
      hasIds &&= idName in document && name !== before;
      before = name;
      const { key: _, ...record } = documentRecord({}, document);
      await spool.put([id, digestOf(bytes), record] satisfies Kept);
    }
    return hasIds;
  }

  /** Each as the only member of a document, so that all of it can be sorted by. */
  async *#sorted(filter: Document): AsyncGenerator<Uint8Array> {
    const stages = [
      { $match: filter },
      { $project: { [idName]: 0, document: '$$ROOT' } },
      { $sort: { [`document.${idName}`]: 1, document: 1 } },
    ];
    const options = { ...stored, ...this.#asking, allowDiskUse: true };
    for await (const bytes of this.#view.aggregate(stages, options))
      if (bytes instanceof Uint8Array) yield bytes;
  }
}

/** Tells documents apart that are alike in all. They come close to each other: numbers of different types may be equal, too. */
class Copies {
  readonly #met = new Map<string, number>();

  named(digest: string): string {
    const copies = (this.#met.get(digest) ?? 0) + 1;
    this.#met.delete(digest);
    this.#met.set(digest, copies);
    const [oldest] = this.#met.keys();
    if (this.#met.size > digestsKept && oldest !== undefined) this.#met.delete(oldest);
    return copies === 1 ? digest : `${digest}-${copies}`;
  }
}

function documentIn(bytes: Uint8Array): Stored {
  const { document } = decoded(bytes);
  return typeof document === 'object' && document !== null ? { ...document } : {};
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32);
}

function isKept(value: unknown): value is Kept {
  return Array.isArray(value) && value.length === 3;
}
