import { locatorKey, type Change, type RecordKey, type SourceRecord } from '@trove/core';

import { neverAborted, recordsAt, type Opened } from './source.js';

type Records = Map<string, SourceRecord>;

/** What an index has after syncs of a source. Applies changes as the contract of connectors says. */
export class Mirror {
  #connector: Opened;
  readonly #objects = new Map<string, Records>();
  /** The keys that were reported since the last checkpoint, by path. */
  #reported = new Map<string, Set<string>>();
  #cursor: unknown;
  #resume: unknown;
  warnings: string[] = [];

  constructor(connector: Opened) {
    this.#connector = connector;
  }

  /** Continues with another connector, as after a restart. */
  reopen(connector: Opened): void {
    this.#connector = connector;
  }

  get paths(): string[] {
    return [...this.#objects.keys()].toSorted();
  }

  /** Returns the texts of an object in order of time. */
  texts(path: string): string[] {
    const records = [...(this.#objects.get(path)?.values() ?? [])];
    return records.toSorted((a, b) => (ts(a) < ts(b) ? -1 : 1)).map(({ text }) => text ?? '');
  }

  /** Runs a sync. After a failure, the next one continues at the last checkpoint. */
  async sync(): Promise<void> {
    let cursor: unknown;
    this.warnings = [];
    const isFull = this.#cursor === undefined;
    this.#reported = new Map();
    const changes = this.#connector.changes({
      cursor: this.#cursor,
      commit: (value) => (cursor = structuredClone(value)),
      warn: (sentence) => this.warnings.push(sentence),
      signal: neverAborted(),
      ...(this.#resume === undefined ? {} : { resume: this.#resume }),
    });
    const listed = new Set<string>();
    for await (const change of changes) await this.#apply(change, listed);
    if (isFull && this.#resume === undefined)
      for (const path of this.paths) if (!listed.has(path)) this.#objects.delete(path);
    this.#cursor = cursor;
    this.#resume = undefined;
  }

  async #apply(change: Change, listed: Set<string>): Promise<void> {
    if ('checkpoint' in change) {
      this.#resume = structuredClone(change.checkpoint);
      this.#reported = new Map();
    } else if ('removed' in change) this.#objects.delete(change.removed);
    else if ('entry' in change) {
      const { path } = change.entry;
      listed.add(path);
      const isStream = change.entry.kind === 'message_stream';
      const records = isStream ? await recordsAt(this.#connector, path) : [];
      this.#objects.set(path, new Map(records.map((record) => [locatorKey(record.key), record])));
    } else if ('records' in change) this.#applyRecords(change);
  }

  #applyRecords({
    path,
    records,
    removedKeys,
    complete,
  }: Extract<Change, { readonly records: unknown }>): void {
    const stored = this.#objects.get(path);
    if (stored === undefined) throw new Error(`Records of an unknown object: ${path}`);
    const reported = this.#reported.get(path) ?? new Set<string>();
    this.#reported.set(path, reported);
    for (const record of records) {
      reported.add(locatorKey(record.key));
      stored.set(locatorKey(record.key), record);
    }
    const remove = (key: RecordKey): void => void stored.delete(locatorKey(key));
    removedKeys.forEach(remove);
    if (complete === undefined) return;
    for (const { key, thread, at = 0 } of stored.values()) {
      const isInScope =
        complete === 'object' ||
        ('thread' in complete
          ? thread === complete.thread
          : complete.from <= at && at < complete.to);
      if (isInScope && !reported.has(locatorKey(key))) remove(key);
    }
  }
}

function ts({ key }: SourceRecord): string {
  return String(key['ts']);
}
