import {
  isCheckpoint,
  isTroveError,
  locatorKey,
  type Change,
  type Connector,
  type Entry,
  type SourceRecord,
} from '@trove/core';

/** More repeated calls mean that a source never continues. */
const maxRepeats = 20;

type Records = Map<string, SourceRecord>;

/**
 * What the engine stores of a source with `changes`, kept in memory. Repeats a call that fails with a retryable error and
 * continues it at its last checkpoint.
 */
export class SyncedSource {
  readonly entries = new Map<string, Entry>();
  readonly documents = new Map<string, string>();
  readonly records = new Map<string, Records>();
  readonly warnings: string[] = [];
  /** How often a call was repeated. */
  repeats = 0;
  #cursor: unknown;
  readonly #connector: Connector;
  #signal = new AbortController().signal;

  constructor(connector: Connector) {
    this.#connector = connector;
  }

  /** Syncs. `isFull`: without the cursor, which removes everything that was not found. */
  async sync({ isFull = false } = {}): Promise<void> {
    const { changes } = this.#connector;
    if (changes === undefined) throw new Error('The connector has no `changes`.');
    // What a connector keeps for one call belongs to its signal.
    this.#signal = new AbortController().signal;
    const isFirst = isFull || this.#cursor === undefined;
    const found = new Set<string>();
    let next: unknown;
    const stream = (resume: unknown): AsyncIterable<Change> =>
      changes({
        cursor: isFirst ? undefined : this.#cursor,
        commit: (cursor) => (next = cursor),
        warn: (sentence) => this.warnings.push(sentence),
        ...(resume === undefined ? {} : { resume }),
        signal: this.#signal,
      });
    for await (const change of this.#resumed(stream)) await this.#apply(change, found);
    if (isFirst) for (const path of this.entries.keys()) if (!found.has(path)) this.#remove(path);
    this.#cursor = next;
  }

  /** Returns the records of an object, without their keys. */
  recordsOf(path: string): readonly SourceRecord[] {
    return [...(this.records.get(path)?.values() ?? [])];
  }

  async #apply(change: Change, found: Set<string>): Promise<void> {
    if (isCheckpoint(change)) return;
    if ('entry' in change) {
      found.add(change.entry.path);
      await this.#read(change.entry);
    } else if ('removed' in change) this.#remove(change.removed);
    else if ('records' in change) await this.#applyRecords(change);
    else throw new Error('The connector starts over.');
  }

  async #read(entry: Entry): Promise<void> {
    const known = this.entries.get(entry.path);
    this.entries.set(entry.path, entry);
    if (entry.skip !== undefined) return;
    if (entry.keyFields !== undefined) {
      this.records.set(entry.path, await this.#allRecords(entry.path, entry));
      return;
    }
    const isKnown = entry.fingerprint !== null && known?.fingerprint === entry.fingerprint;
    if (!isKnown) this.documents.set(entry.path, await this.#text(entry));
  }

  async #allRecords(
    path: string,
    { identity, keysOnly }: { readonly identity?: string; readonly keysOnly?: boolean },
  ): Promise<Records> {
    const { records } = this.#connector;
    if (records === undefined) throw new Error('The connector has no `records`.');
    const found: Records = new Map();
    const stream = (resume: unknown): ReturnType<typeof records> =>
      records(path, {
        ...(identity === undefined ? {} : { identity }),
        ...(keysOnly === undefined ? {} : { keysOnly }),
        ...(resume === undefined ? {} : { resume }),
        signal: this.#signal,
      });
    for await (const record of this.#resumed(stream))
      if (!isCheckpoint(record)) found.set(locatorKey(record.key), record);
    return found;
  }

  async #text({ path, identity }: Entry): Promise<string> {
    const content = await this.#connector.read?.(path, {
      ...(identity === undefined ? {} : { identity }),
      signal: this.#signal,
    });
    if (content === undefined) throw new Error('The connector has no `read`.');
    const pieces: Uint8Array[] = [];
    const { bytes } = content;
    for await (const piece of bytes instanceof Uint8Array ? [bytes] : bytes) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  }

  async #applyRecords(change: Extract<Change, { records: unknown }>): Promise<void> {
    const { path, records, removedKeys, complete, total } = change;
    const stored: Records = this.records.get(path) ?? new Map();
    for (const key of removedKeys) stored.delete(locatorKey(key));
    if (typeof complete === 'object' && 'thread' in complete) {
      for (const [key, { thread }] of stored) if (thread === complete.thread) stored.delete(key);
    }
    if (typeof complete === 'object' && 'from' in complete) {
      const { from, to } = complete;
      for (const [key, { at = 0 }] of stored) if (from <= at && at < to) stored.delete(key);
    }
    for (const record of records) stored.set(locatorKey(record.key), record);
    this.records.set(path, stored);
    if (total === undefined || total === stored.size) return;
    const present = await this.#allRecords(path, { keysOnly: true });
    for (const key of stored.keys()) if (!present.has(key)) stored.delete(key);
    for (const [name, { key }] of present)
      if (!stored.has(name))
        for await (const record of this.#connector.records?.(path, { key, signal: this.#signal }) ??
          [])
          if (!isCheckpoint(record)) stored.set(name, record);
  }

  #remove(path: string): void {
    for (const map of [this.entries, this.documents, this.records]) map.delete(path);
  }

  async *#resumed<T>(start: (resume: unknown) => AsyncIterable<T>): AsyncGenerator<T> {
    let resume: unknown;
    for (;;) {
      try {
        for await (const item of start(resume)) {
          if (isCheckpoint(item)) resume = item.checkpoint;
          yield item;
        }
        return;
      } catch (error) {
        if (!isTroveError(error) || !error.retryable || this.repeats >= maxRepeats) throw error;
        this.repeats++;
      }
    }
  }
}
