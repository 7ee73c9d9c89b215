import {
  TroveError,
  type BrowseEntry,
  type Change,
  type ChangesRequest,
  type Connector,
  type ConnectorPlugin,
  type Content,
  type Entry,
  type GrepItem,
  type GrepRequest,
  type Health,
  type ListRequest,
  type Locator,
  type ObjectKind,
  type SourceRecord,
} from '@trove/core';
import { Guard } from '../plugins/guard.js';
import type { PartLimits } from '../plugins/guard.js';
import type { ObjectRules } from './object-rules.js';

const second = 1000;
/** Longest wait for one call, or for one item of a listing. */
const limits = { check: 10 * second, item: 120 * second, call: 60 * second } as const;

export interface GuardedConnectorOptions {
  readonly plugin: Pick<ConnectorPlugin, 'scheme' | 'capabilities'>;
  readonly rootUri: string;
  readonly rules: ObjectRules;
  readonly secrets: readonly string[];
  readonly create: () => Promise<Connector>;
}

/** A connector as the engine uses it: started on first use, bounded, checked, with missing methods answered. */
export class GuardedConnector {
  readonly rootUri: string;
  readonly rules: ObjectRules;
  readonly #scheme: string;
  readonly #plugin: GuardedConnectorOptions['plugin'];
  readonly #guard: Guard<Connector>;

  constructor(options: GuardedConnectorOptions) {
    this.rootUri = options.rootUri;
    this.rules = options.rules;
    this.#plugin = options.plugin;
    this.#scheme = options.plugin.scheme;
    this.#guard = new Guard<Connector>({
      name: `connector ${this.#scheme}`,
      errorCode: 'connector_unhealthy',
      secrets: options.secrets,
      start: async () => this.#checked(await options.create()),
      close: async (connector) => connector.close?.(),
    });
  }

  /** The connector's optional methods that are there, and its declared capabilities. */
  capabilities(signal: AbortSignal): Promise<ConnectorAbilities> {
    return this.#guard.call('create', limits.call, signal, (connector) => ({
      incremental: connector.changes !== undefined,
      since: this.#plugin.capabilities?.since === true,
      read: connector.read !== undefined,
      records: connector.records !== undefined,
      tail: this.#plugin.capabilities?.stableOrder !== false,
      grep: connector.grep !== undefined,
    }));
  }

  check(signal: AbortSignal): Promise<Health> {
    return this.#guard.call('check', limits.check, signal, async (connector) => {
      if (connector.check !== undefined)
        return this.#checkedHealth(await connector.check({ signal }));
      for await (const entry of connector.list({ signal })) {
        return { ok: true, detail: `reachable; the first object is ${entry.path}` };
      }
      return { ok: true, detail: 'reachable; it holds no objects' };
    });
  }

  list(request: ListRequest): AsyncGenerator<Entry, void, undefined> {
    return this.#guard.iterate(
      'list',
      limits.item,
      request.signal,
      (connector) => connector.list(request),
      this.#checkEntry,
    );
  }

  listInParts(request: ListRequest, part: PartLimits): AsyncGenerator<Entry[], void, undefined> {
    return this.#guard.iterateInParts(
      'list',
      limits.item,
      request.signal,
      (connector) => connector.list(request),
      part,
      this.#checkEntry,
    );
  }

  changesInParts(
    request: ChangesRequest,
    part: PartLimits,
  ): AsyncGenerator<Change[], void, undefined> {
    return this.#guard.iterateInParts(
      'changes',
      limits.item,
      request.signal,
      (connector) => {
        if (connector.changes === undefined) throw this.#unsupported('changes');
        return connector.changes(request);
      },
      part,
      (change) => this.#check('changes', 'change', changeProblem(change)),
    );
  }

  async read(path: string, signal: AbortSignal): Promise<Content> {
    const content = await this.#guard.call('read', limits.call, signal, async (connector) => {
      if (connector.read === undefined) throw this.#unsupported('read');
      return connector.read(path, { signal });
    });
    const bytes = content?.bytes;
    if (bytes instanceof Uint8Array) return content;
    if (typeof bytes !== 'object' || !(Symbol.asyncIterator in bytes)) {
      throw this.#invalid('read must resolve to an object with `bytes`');
    }
    const pieces = this.#guard.iterate('read', limits.item, signal, () => bytes, this.#checkPiece);
    return { ...content, bytes: pieces };
  }

  records(
    path: string,
    signal: AbortSignal,
    key?: Locator,
  ): AsyncGenerator<SourceRecord, void, undefined> {
    return this.#guard.iterate(
      'records',
      limits.item,
      signal,
      (connector) => {
        if (connector.records === undefined) throw this.#unsupported('records');
        return connector.records(path, key === undefined ? { signal } : { signal, key });
      },
      (record) => this.#check('records', 'record', recordProblem(record)),
    );
  }

  /** One level of the tree; derived from the listing when the connector does not browse. */
  browse(path: string, signal: AbortSignal): AsyncGenerator<BrowseEntry, void, undefined> {
    return this.#guard.iterate('browse', limits.item, signal, (connector) =>
      connector.browse === undefined
        ? levelOf(connector.list({ signal }), path, this.#checkEntry)
        : connector.browse(path, { signal }),
    );
  }

  /** One entry; found in the listing when the connector has no `stat`. */
  stat(path: string, signal: AbortSignal): Promise<Entry | null> {
    return this.#guard.call('stat', limits.call, signal, async (connector) => {
      if (connector.stat !== undefined) return connector.stat(path, { signal });
      for await (const entry of connector.list({ signal })) {
        if (entry.path === path) return entry;
      }
      return null;
    });
  }

  grep(request: GrepRequest): AsyncGenerator<GrepItem, void, undefined> {
    return this.#guard.iterate('grep', limits.item, request.signal, (connector) => {
      if (connector.grep === undefined) throw this.#unsupported('grep');
      return connector.grep(request);
    });
  }

  /** Why a path is not indexed, null when the connector has no reason or cannot tell. */
  explain(path: string, signal: AbortSignal): Promise<string | null> {
    return this.#guard.call('explain', limits.call, signal, async (connector) =>
      connector.explain === undefined ? null : connector.explain(path, { signal }),
    );
  }

  close(): Promise<void> {
    return this.#guard.close();
  }

  #checked(connector: Connector): Connector {
    if (typeof connector?.list !== 'function')
      throw this.#invalid('create must return an object with `list`');
    if (typeof connector.read !== 'function' && typeof connector.records !== 'function') {
      throw this.#invalid('create must return an object with `read` or `records`');
    }
    return connector;
  }

  #checkedHealth(health: Health): Health {
    if (typeof health?.ok !== 'boolean' || typeof health.detail !== 'string') {
      throw this.#invalid('check must resolve to an object with `ok` and `detail`');
    }
    return health;
  }

  readonly #checkEntry = (entry: Entry): void => this.#check('list', 'entry', entryProblem(entry));

  readonly #checkPiece = (piece: unknown): void =>
    this.#check('read', 'piece', piece instanceof Uint8Array ? null : 'it is no `Uint8Array`');

  #check(method: string, what: string, problem: string | null): void {
    if (problem !== null) throw this.#invalid(`${method} yielded a wrong ${what}: ${problem}`);
  }

  #unsupported(method: string): TroveError {
    return new TroveError(
      'not_supported',
      `The ${this.#scheme} connector does not support ${method}`,
    );
  }

  #invalid(problem: string): TroveError {
    return new TroveError('plugin_invalid', `connector ${this.#scheme}: ${problem}`);
  }
}

export interface ConnectorAbilities {
  readonly incremental: boolean;
  readonly since: boolean;
  readonly read: boolean;
  readonly records: boolean;
  readonly tail: boolean;
  readonly grep: boolean;
}

/** Whether an object of this kind is read as records rather than as bytes. */
export function consistsOfRecords(
  { read, records }: Pick<ConnectorAbilities, 'read' | 'records'>,
  kind: ObjectKind | undefined,
): boolean {
  return records && (!read || (kind !== undefined && recordKinds.has(kind)));
}

/** Kinds of objects that are made of records. */
export const recordKinds: ReadonlySet<ObjectKind> = new Set([
  'table_rows',
  'record_collection',
  'message_stream',
] as const);

function entryProblem(entry: Entry): string | null {
  if (typeof entry?.path !== 'string') return '`path` is not a text';
  const { path, size, modifiedAt, fingerprint } = entry;
  if (!isCleanPath(path)) return `\`path\` is not a clean relative path: ${path.slice(0, 200)}`;
  if (size !== null && (!Number.isSafeInteger(size) || size < 0)) {
    return '`size` is neither null nor a number of bytes';
  }
  if (modifiedAt !== null && !Number.isFinite(modifiedAt)) {
    return '`modifiedAt` is neither null nor a number of milliseconds';
  }
  // An object whose fingerprint is undefined once would be taken for unchanged ever after.
  return fingerprint === null || typeof fingerprint === 'string'
    ? null
    : '`fingerprint` is neither null nor a text';
}

function changeProblem(change: Change): string | null {
  if (typeof change !== 'object' || change === null) return 'it is no object';
  if ('entry' in change) return entryProblem(change.entry);
  return typeof change.removed === 'string' ? null : 'it has neither `entry` nor `removed`';
}

function recordProblem(record: SourceRecord): string | null {
  const isMap = (value: unknown): boolean => typeof value === 'object' && value !== null;
  if (!isMap(record?.key) || !isMap(record.fields)) return '`key` and `fields` must be objects';
  if (!Object.values(record.key).every(isScalar)) {
    return '`key` holds something else than texts, numbers, booleans and null';
  }
  const { at } = record;
  return at === undefined || Number.isFinite(at) ? null : '`at` is no number of milliseconds';
}

function isScalar(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function isCleanPath(path: string): boolean {
  return path === '' || !/(^|\/)\.{0,2}(\/|$)/.test(path);
}

async function* levelOf(
  entries: AsyncIterable<Entry>,
  path: string,
  check: (entry: Entry) => void,
): AsyncGenerator<BrowseEntry, void, undefined> {
  const prefix = path === '' ? '' : `${path}/`;
  const folders = new Set<string>();
  let found = path === '';
  for await (const entry of entries) {
    check(entry);
    if (entry.path === path) {
      found = true;
      yield fileOf(entry, entry.path.slice(entry.path.lastIndexOf('/') + 1));
    }
    if (entry.path === '' || !entry.path.startsWith(prefix)) continue;
    found = true;
    const rest = entry.path.slice(prefix.length);
    const slash = rest.indexOf('/');
    if (slash < 0) {
      yield fileOf(entry, rest);
    } else if (!folders.has(rest.slice(0, slash))) {
      folders.add(rest.slice(0, slash));
      yield { name: rest.slice(0, slash), type: 'dir', size: null, modifiedAt: null };
    }
  }
  if (!found) throw new TroveError('not_found', `There is nothing at ${path}`);
}

function fileOf(entry: Entry, name: string): BrowseEntry {
  const { size, modifiedAt, mediaType = null } = entry;
  return { name, type: 'file', size, modifiedAt, mediaType };
}
