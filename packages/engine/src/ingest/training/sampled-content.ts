import type { Entry } from '@trove/core';
import type { ObjectBytes } from '../../content/classification.js';
import type { RecordItem } from '../../sources/connectors/invalid-record.js';

/** The limit of content that is kept. Objects beyond it are read again by their tasks. */
const maxUnits = 16 * 1024 * 1024;

/** The first records of an object, in order. */
export interface SampledRecords {
  /** In the order of the source. A checkpoint is the last item of its batch. */
  readonly batches: readonly (readonly RecordItem[])[];
  /** The object has no more records. */
  readonly isWhole: boolean;
}

interface Kept {
  readonly entry: Entry;
  readonly content: ObjectBytes | SampledRecords;
  /** Bytes, or characters of records. */
  readonly units: number;
}

/** Collects the records of one object. */
export interface RecordCollection {
  add(batch: readonly RecordItem[]): void;
  end(isWhole: boolean): void;
}

/** The content of objects that were read to train the embedder, until their tasks take it. */
export class SampledContent {
  readonly #kept = new Map<string, Kept>();
  #units = 0;

  /** Keeps a copy of the bytes of an object if there is room. */
  keepBytes(entry: Entry, object: ObjectBytes): void {
    const { length } = object.bytes;
    if (this.#units + length > maxUnits) return;
    this.#keep({ entry, content: copyOf(object), units: length });
  }

  /**
   * Collects the first records of an object. They are kept when the collection ends, if there is room, and replace fewer
   * records of the same object.
   */
  collect(entry: Entry): RecordCollection {
    let batches: (readonly RecordItem[])[] | null = [];
    let units = 0;
    return {
      add: (batch) => {
        units += batch.reduce((sum, each) => sum + JSON.stringify(each).length, 0);
        if (units > maxUnits) batches = null;
        batches?.push(batch);
      },
      end: (isWhole) => {
        this.#remove(entry.path);
        if (batches !== null && this.#units + units <= maxUnits)
          this.#keep({ entry, content: { batches, isWhole }, units });
      },
    };
  }

  /** Returns a copy of the kept bytes. Null: read the object. */
  bytes(entry: Entry): ObjectBytes | null {
    const content = this.#find(entry);
    return content !== null && 'bytes' in content ? copyOf(content) : null;
  }

  /** Removes and returns the kept bytes. Null: read the object. */
  takeBytes(entry: Entry): ObjectBytes | null {
    const content = this.#find(entry);
    this.#remove(entry.path);
    return content !== null && 'bytes' in content ? content : null;
  }

  /** Returns the kept records. Null: read all. */
  records(entry: Entry): SampledRecords | null {
    const content = this.#find(entry);
    return content !== null && 'batches' in content ? content : null;
  }

  /** Removes and returns the kept records. Null: read all. */
  takeRecords(entry: Entry): SampledRecords | null {
    const records = this.records(entry);
    this.#remove(entry.path);
    return records;
  }

  #find(entry: Entry): Kept['content'] | null {
    const kept = this.#kept.get(entry.path);
    return kept !== undefined && isSame(kept.entry, entry) ? kept.content : null;
  }

  #keep(kept: Kept): void {
    const { path } = kept.entry;
    this.#remove(path);
    this.#kept.set(path, kept);
    this.#units += kept.units;
  }

  #remove(path: string): void {
    this.#units -= this.#kept.get(path)?.units ?? 0;
    this.#kept.delete(path);
  }
}

/** Whether an object was not listed differently since it was read. */
function isSame(read: Entry, { fingerprint, size, modifiedAt, kind, mediaType }: Entry): boolean {
  return (
    read.fingerprint === fingerprint &&
    read.size === size &&
    read.modifiedAt === modifiedAt &&
    read.kind === kind &&
    (read.mediaType ?? null) === (mediaType ?? null)
  );
}

/** Copies the bytes, because their reader frees them. */
function copyOf(object: ObjectBytes): ObjectBytes {
  return { ...object, bytes: object.bytes.slice() };
}
