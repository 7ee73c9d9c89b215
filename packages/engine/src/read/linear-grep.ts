import { CollectionToken, MetadataStoreToken, inject, injectable } from '@trove/core/di';
import type { Gate } from '@trove/runtime';
import { ComputePoolToken, QueryGateToken, ReadBudgetToken } from '../di/tokens.js';
import {
  TroveError,
  joinUri,
  type Collection,
  type ConnectorRecord,
  type GrepItem,
  type GrepRequest,
  type Locator,
  type MetadataStore,
  type ObjectRecord,
} from '@trove/core';
import type { TimedMatches } from '@trove/core/grep';
import type { ComputePool } from '../compute/compute-pool.js';
import { recordLocator } from '../ingest/record-rows.js';
import { consistsOfRecords, type GuardedConnector } from '../connectors/guarded-connector.js';
import { grepCandidates } from './grep-candidates.js';
import { readText } from '../content/object-text.js';
import type { ReadBudget } from '../content/read-budget.js';
import { segmentsOf, type Segment } from '../content/segments.js';

export interface LinearGrep {
  readonly via: 'bm25' | 'linear';
  readonly items: AsyncIterable<GrepItem>;
}

const pageSize = 500;
const matchLimitMs = 10_000;
/** Characters of records searched in one go, and maximum length of a record. */
const batchChars = 1024 * 1024;
const recordChars = 16 * batchChars;

/** Searches a source without a search of its own by reading the objects found by the last sync. */
@injectable()
export class LinearGrepper {
  readonly #store: MetadataStore;
  readonly #pool: ComputePool;
  readonly #collection: Collection;
  readonly #gate: Gate;
  readonly #budget: ReadBudget;

  constructor(
    @inject(MetadataStoreToken) store: MetadataStore,
    @inject(ComputePoolToken) pool: ComputePool,
    @inject(CollectionToken) collection: Collection,
    @inject(QueryGateToken) gate: Gate,
    @inject(ReadBudgetToken) budget: ReadBudget,
  ) {
    this.#store = store;
    this.#pool = pool;
    this.#collection = collection;
    this.#gate = gate;
    this.#budget = budget;
  }

  /** Reads all texts, or those that the index does not rule out. */
  async grep(
    record: ConnectorRecord,
    connector: GuardedConnector,
    request: GrepRequest,
  ): Promise<LinearGrep> {
    const isCandidate = request.regex
      ? null
      : await this.#gate.run(request.signal, () =>
          grepCandidates(this.#collection, record.id, request),
        );
    const items = this.#items(record, connector, request, isCandidate ?? (() => true));
    return { via: isCandidate === null ? 'linear' : 'bm25', items };
  }

  async *#items(
    record: ConnectorRecord,
    connector: GuardedConnector,
    request: GrepRequest,
    isCandidate: (object: ObjectRecord) => boolean,
  ): AsyncGenerator<GrepItem, void, undefined> {
    let left = request.limit;
    for await (const object of this.#objects(record, request.path)) {
      if (object.kind === 'binary' || object.kind === 'image' || !object.indexable) continue;
      if (!isCandidate(object)) continue;
      try {
        for await (const item of this.#search(connector, object, { ...request, limit: left })) {
          yield item;
          if (!('notice' in item) && --left <= 0) return;
        }
      } catch (error) {
        request.signal.throwIfAborted();
        const reason = error instanceof Error ? error.message : String(error);
        yield { notice: `${object.path} was skipped: ${reason}` };
      }
    }
  }

  /** The object at a path and those below it. Throws `not_found` when there are none. */
  async *#objects(
    record: ConnectorRecord,
    path: string,
  ): AsyncGenerator<ObjectRecord, void, undefined> {
    const own = path === '' ? [] : await this.#store.objectsByPath(record.id, [path]);
    yield* own;
    let found = own.length > 0 || path === '';
    const prefix = path === '' ? '' : `${path}/`;
    let after: string | null = null;
    for (;;) {
      const page: ObjectRecord[] = await this.#store.objectsAfter(record.id, {
        prefix,
        after,
        limit: pageSize,
      });
      found ||= page.length > 0;
      yield* page;
      const last = page.at(-1);
      if (last === undefined || page.length < pageSize) break;
      after = last.path;
    }
    if (found) return;
    throw new TroveError('not_found', `There is nothing at ${joinUri(record.rootUri, path)}`, {
      suggestions: ['If it is new in the source, sync it first.'],
    });
  }

  async *#search(
    connector: GuardedConnector,
    object: ObjectRecord,
    request: GrepRequest,
  ): AsyncGenerator<GrepItem, void, undefined> {
    const abilities = await connector.capabilities(request.signal);
    const records = consistsOfRecords(abilities, object.kind);
    if (records) yield* this.#records(connector, object, request);
    else yield* this.#lines(connector, object, request);
  }

  async *#lines(
    connector: GuardedConnector,
    { path, size }: ObjectRecord,
    request: GrepRequest,
  ): AsyncGenerator<GrepItem, void, undefined> {
    const { pattern, context, signal } = request;
    const text = readText(this.#budget, connector, { path, size }, 'reads', signal);
    const margin = Math.max(context, pattern.split('\n').length - 1);
    let left = request.limit;
    for await (const segment of segmentsOf(text, margin)) {
      if ('longLine' in segment) {
        yield { notice: `Line ${segment.longLine} of ${path} is too long to be searched.` };
        continue;
      }
      const { matches, complete } = await this.#match(segment, request, left);
      for (const { lines, content } of matches) {
        const [first, last] = lines;
        const before = segment.linesBefore;
        yield { path, lines: [before + first, before + last], content };
      }
      left -= matches.length;
      if (!complete) yield tooSlow(path);
      if (!complete || left <= 0) return;
    }
  }

  /** Each record is a line of JSON, as shown by `cat`; a match carries its key. */
  async *#records(
    connector: GuardedConnector,
    { path }: ObjectRecord,
    request: GrepRequest,
  ): AsyncGenerator<GrepItem, void, undefined> {
    const { signal } = request;
    const rule = connector.rules.of(path);
    const share = await this.#budget.reserve('reads', null, signal);
    let keys: Locator[] = [];
    let lines = '';
    let left = request.limit;
    const search = async (): Promise<{ items: GrepItem[]; complete: boolean }> => {
      const segment = { text: lines, linesBefore: 0, from: 0, to: lines.length };
      const { matches, complete } = await this.#match(segment, { ...request, context: 0 }, left);
      left -= matches.length;
      const items = matches.flatMap(({ lines: [line], content }): GrepItem[] => {
        const key = keys[line - 1];
        return key === undefined ? [] : [{ path, key, content }];
      });
      if (!complete) items.push(tooSlow(path));
      keys = [];
      lines = '';
      return { items, complete };
    };
    try {
      for await (const record of connector.records(path, signal)) {
        const line = JSON.stringify(record.fields);
        if (line.length > recordChars) {
          yield { notice: `A record of ${path} is too long to be searched.` };
          continue;
        }
        keys.push(recordLocator(record, rule));
        lines += `${line}\n`;
        if (lines.length < batchChars) continue;
        const { items, complete } = await search();
        yield* items;
        if (!complete || left <= 0) return;
      }
      yield* (await search()).items;
    } finally {
      share.release();
    }
  }

  async #match(segment: Segment, request: GrepRequest, limit: number): Promise<TimedMatches> {
    request.signal.throwIfAborted();
    const { pattern, regex, ignoreCase, context } = request;
    const { text, from, to } = segment;
    const search = { text, from, to, pattern, regex, ignoreCase, context, limit };
    return this.#pool.run('match', search, { limitMs: matchLimitMs });
  }
}

function tooSlow(path: string): GrepItem {
  return {
    notice: `The pattern takes too long in ${path}: not all of it was searched.`,
  };
}
