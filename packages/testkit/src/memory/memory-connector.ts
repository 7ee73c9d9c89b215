import { on } from 'node:events';
import {
  TroveError,
  defineConnector,
  locatorKey,
  type BrowseEntry,
  type BytesOptions,
  type Change,
  type ChangesRequest,
  type Checkpoint,
  type Connector,
  type ConnectorContext,
  type ConnectorPlugin,
  type Content,
  type Entry,
  type GrepItem,
  type GrepRequest,
  type Infer,
  type ListRequest,
  type ObjectOptions,
  type ReadOptions,
  type RecordsChange,
  type RecordsOptions,
  type SourceRecord,
} from '@trove/core';

import { browseLevel } from './memory-browse.js';
import { grepObjects } from './memory-grep.js';
import type { MemoryObject, MemorySource } from './memory-source.js';

const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    token: {
      type: 'string',
      writeOnly: true,
      description: 'The token that the source requires.',
    },
    refresh_token: {
      type: 'string',
      writeOnly: true,
      description: 'The token that renews access after the source has ended it.',
    },
  },
} as const;

type Config = Infer<typeof configSchema>;

export interface MemoryConnectorOptions {
  /** Whether to offer `changes`. Default false. */
  readonly incremental?: boolean;
  /** Whether to read single threads. Default true. */
  readonly threads?: boolean;
  /** Whether to read keys alone. Default true. */
  readonly keysOnly?: boolean;
  /** Whether to yield a checkpoint after each item. Default false. */
  readonly checkpoints?: boolean;
}

/** Returns a connector (scheme `memory`) for a source that the test controls. */
export function memoryConnector(
  source: MemorySource,
  {
    incremental = false,
    threads = true,
    keysOnly = true,
    checkpoints = false,
  }: MemoryConnectorOptions = {},
): ConnectorPlugin<typeof configSchema> {
  return defineConnector({
    keys: ['memory'],
    defaultAuthority: 'local',
    capabilities: {
      since: true,
      paths: true,
      threads,
      keysOnly,
      stableOrder: true,
      grep: { regex: true, ignoreCase: true, context: true, onlyMatching: true, paging: true },
    },
    configSchema,
    create: (context) =>
      incremental
        ? new IncrementalMemoryConnector(source, context, { threads, keysOnly, checkpoints })
        : new MemoryConnector(source, context, { threads, keysOnly, checkpoints }),
  });
}

class MemoryConnector implements Connector {
  protected readonly source: MemorySource;
  readonly #context: ConnectorContext<Config>;
  #access: string | null = null;
  readonly #threads: boolean;
  readonly #keysOnly: boolean;
  protected readonly checkpoints: boolean;

  constructor(
    source: MemorySource,
    context: ConnectorContext<Config>,
    { threads, keysOnly, checkpoints }: Required<Omit<MemoryConnectorOptions, 'incremental'>>,
  ) {
    this.source = source;
    this.#context = context;
    this.#threads = threads;
    this.#keysOnly = keysOnly;
    this.checkpoints = checkpoints;
  }

  async *list({
    signal,
    since,
    resume = 0,
    paths = [''],
  }: ListRequest): AsyncGenerator<Entry | Checkpoint> {
    await this.admit();
    const from = since === undefined ? 0 : Date.parse(since);
    let at = 0;
    for await (const entry of this.entries(signal)) {
      if (at++ < Number(resume)) continue;
      const isNamed = paths.some((path) => isAtOrBelow(entry.path, path));
      if (isNamed && (entry.modifiedAt ?? from) >= from) yield entry;
      if (this.checkpoints) yield { checkpoint: at };
    }
  }

  /** Yields all entries with the pauses and the failure configured on the source. */
  protected async *entries(signal: AbortSignal): AsyncGenerator<Entry> {
    let met = 0;
    for (const path of Array.from(this.source.objects.keys())) {
      await this.source.pause();
      signal.throwIfAborted();
      if (met === this.source.failListingAfter) {
        throw new TroveError('connector_unhealthy', 'The memory source broke off its listing.');
      }
      met++;
      if (this.source.isUnlistable(path)) continue;
      const entry = this.source.entry(path);
      if (entry !== null) yield entry;
    }
    const { unlistable } = this.source;
    if (unlistable !== null)
      throw new TroveError('listing_incomplete', `The folder ${unlistable} could not be listed.`);
  }

  async read(path: string, { signal, range, identity }: BytesOptions): Promise<Content> {
    signal.throwIfAborted();
    this.source.onCall({ method: 'read', path, identity });
    this.source.onRead(path, range);
    const { bytes, mediaType } = await this.#find(path);
    if (bytes === null) throw notFound(path);
    if (range === undefined) return { bytes, mediaType };
    return { bytes: bytes.subarray(range.start, range.end), mediaType, start: range.start };
  }

  async *records(
    path: string,
    {
      signal,
      identity,
      key,
      thread,
      keysOnly,
      offset = 0,
      limit = Infinity,
      resume = 0,
    }: RecordsOptions,
  ): AsyncGenerator<SourceRecord | Checkpoint> {
    signal.throwIfAborted();
    const skipped = offset > 0 ? { offset } : {};
    this.source.onCall({ method: 'records', path, identity, ...skipped });
    const { records } = await this.#find(path);
    if (records === null) throw notFound(path);
    const found = records.filter(
      (record) =>
        (key === undefined || hasKey(record, key)) &&
        (thread === undefined || !this.#threads || record.thread === thread),
    );
    const start = offset + Number(resume);
    for (const [at, record] of found.slice(start, start + limit).entries()) {
      signal.throwIfAborted();
      if (keysOnly !== true || !this.#keysOnly) {
        this.source.recordsRead++;
        yield record;
      } else yield { key: record.key, fields: {} };
      if (this.checkpoints) yield { checkpoint: start + at + 1 };
    }
  }

  async *browse(path: string, { signal }: ReadOptions): AsyncGenerator<BrowseEntry> {
    signal.throwIfAborted();
    const entries = browseLevel(this.source, path);
    if (entries === null) throw notFound(path);
    yield* entries;
  }

  async stat(path: string, { signal, identity }: ObjectOptions): Promise<Entry | null> {
    signal.throwIfAborted();
    this.source.onCall({ method: 'stat', path, identity });
    return this.source.entry(path);
  }

  async *grep(request: GrepRequest): AsyncGenerator<GrepItem> {
    const { signal, path, identity } = request;
    signal.throwIfAborted();
    this.source.onCall({ method: 'grep', path, identity });
    yield* grepObjects(this.source, request);
  }

  async *watch({ signal }: ReadOptions): AsyncGenerator<string> {
    signal.throwIfAborted();
    const changes = on(this.source.changes, 'path', { signal });
    yield '';
    for await (const [path] of changes) yield String(path);
  }

  async check(): Promise<{ ok: boolean; detail: string }> {
    try {
      await this.admit();
      return { ok: true, detail: `${this.source.objects.size} objects in memory.` };
    } catch {
      return { ok: false, detail: 'The memory source refused the token.' };
    }
  }

  async #find(path: string): Promise<MemoryObject> {
    await this.admit();
    await this.source.pause();
    if (this.source.failReading.has(path)) throw this.source.failReading.get(path);
    const object = this.source.objects.get(path);
    if (object === undefined) throw notFound(path);
    return object;
  }

  protected async admit(): Promise<void> {
    const { credentials } = this.#context;
    const { token, access } = this.source;
    if (token !== null && (await credentials.get('token')) !== token)
      throw new TroveError('connector_unhealthy', 'The memory source refused the token.');
    if (access === null || access === this.#access) return;
    await credentials.refresh('refresh_token', async (old) => {
      const renewed = this.source.renew(old);
      this.#access = renewed.access;
      return renewed.refreshToken;
    });
  }
}

class IncrementalMemoryConnector extends MemoryConnector {
  async *changes(request: ChangesRequest): AsyncGenerator<Change> {
    await this.admit();
    const { source } = this;
    const { cursor, commit, resume = 0, signal } = request;
    const isGood = typeof cursor === 'number' && cursor >= source.oldestCursor;
    const since = isGood ? cursor : 0;
    const now = source.version;
    if (isGood && source.changeStream !== null) {
      yield* source.changeStream(request);
      commit(now);
      return;
    }
    if (cursor !== undefined && !isGood && resume === 0) yield { reset: true };
    let at = 0;
    for await (const entry of this.entries(signal)) {
      if (at++ < Number(resume)) continue;
      if ((source.objects.get(entry.path)?.version ?? 0) > since) yield { entry };
      if (this.checkpoints) yield { checkpoint: at };
    }
    for (const { path, version } of source.removals) {
      if (version > since && !source.objects.has(path)) yield { removed: path };
    }
    if (isGood) yield* recordsChanges(source, since);
    commit(now);
  }
}

/** Yields the changes to records of objects that existed before a version. */
function* recordsChanges(source: MemorySource, since: number): Generator<RecordsChange> {
  for (const [path, { version, records }] of source.objects) {
    if (version > since || records === null) continue;
    const events = source.recordEvents.filter((each) => each.path === path && each.version > since);
    const touched = new Map(events.map(({ key }) => [locatorKey(key), key]));
    if (touched.size === 0) continue;
    const there = records.filter(({ key }) => touched.has(locatorKey(key)));
    for (const { key } of there) touched.delete(locatorKey(key));
    const removedKeys = source.reportsRemovedRecords ? [...touched.values()] : [];
    yield { path, records: there, removedKeys, total: records.length };
  }
}

function isAtOrBelow(path: string, other: string): boolean {
  return other === '' || path === other || path.startsWith(`${other}/`);
}

function hasKey(record: SourceRecord, key: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(key).every(([name, value]) => record.key[name] === value);
}

function notFound(path: string): TroveError {
  return new TroveError('not_found', `There is no object at "${path}".`);
}
