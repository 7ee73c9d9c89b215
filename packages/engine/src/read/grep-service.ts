import { CollectionToken, MetadataStoreToken, inject, injectable } from '@trove/core/di';
import { ComputePoolToken, QueryGateToken, SourcesToken } from '../di/tokens.js';
import {
  joinUri,
  relativePath,
  TroveError,
  type Collection,
  type ConnectorRecord,
  type GrepItem,
  type GrepRequest,
  type MetadataStore,
  type ObjectRecord,
} from '@trove/core';
import { compilePattern } from '@trove/core/media';
import { grepQuerySchema, type GrepQuery, type GrepResponse } from '../api/schemas.js';
import type { ComputePool } from '../compute/compute-pool.js';
import type { QueryGate } from '../search/query-gate.js';
import { consistsOfRecords } from '../sources/guarded-connector.js';
import type { Sources } from '../sources/sources.js';
import { validate } from '../validation.js';
import { grepCandidates } from './grep-candidates.js';
import { wholeText } from './lines.js';
import { decodePieces } from './object-text.js';

type Match = GrepResponse['results'][number];

/** Notices in one answer; what more is skipped is only counted. */
const noticesAtMost = 100;
const pageSize = 500;
const matchLimitMs = 5000;
/** Objects larger than this are skipped by a linear grep, with a notice. */
const linearMaxChars = 16 * 1024 * 1024;

/** Finds lines in sources: by the source itself where it can, else by reading its objects. */
@injectable()
export class GrepService {
  readonly #sources: Sources;
  readonly #store: MetadataStore;
  readonly #pool: ComputePool;
  readonly #collection: Collection;
  readonly #gate: QueryGate;

  constructor(
    @inject(SourcesToken) sources: Sources,
    @inject(MetadataStoreToken) store: MetadataStore,
    @inject(ComputePoolToken) pool: ComputePool,
    @inject(CollectionToken) collection: Collection,
    @inject(QueryGateToken) gate: QueryGate,
  ) {
    this.#sources = sources;
    this.#store = store;
    this.#pool = pool;
    this.#collection = collection;
    this.#gate = gate;
  }

  async grep(query: GrepQuery, signal: AbortSignal): Promise<GrepResponse> {
    const {
      pattern,
      path,
      regex,
      ignore_case: ignoreCase,
      context,
      limit,
    } = validate(grepQuerySchema, query, '');
    // Refuses what is no regular expression, before any source is asked.
    compilePattern({ pattern, regex, ignoreCase });
    const scopes = await this.#scopes(path);
    const results: Match[] = [];
    let matches = 0;
    let notices = 0;
    for (const { record, inner } of scopes) {
      // One more than wanted tells whether there are more.
      const request = {
        pattern,
        regex,
        ignoreCase,
        context,
        path: inner,
        limit: limit + 1 - matches,
        signal,
      };
      for await (const match of this.#grepSource(record, request)) {
        if (match.source !== null && ++matches > limit) return { results, truncated: true };
        if (match.source !== null || ++notices <= noticesAtMost) results.push(match);
      }
    }
    if (notices > noticesAtMost) {
      results.push(notice(`${notices - noticesAtMost} more notices like these are left out.`));
    }
    return { results, truncated: false };
  }

  /** The sources that a path means, with the path inside each. */
  async #scopes(path: string | undefined): Promise<{ record: ConnectorRecord; inner: string }[]> {
    const records = (await this.#store.connectors()).filter(({ status }) => status !== 'removing');
    if (path === undefined) return records.map((record) => ({ record, inner: '' }));
    const uri = await this.#sources.canonical(path);
    const owner = await this.#sources.owner(uri);
    if (owner !== null) return [{ record: owner, inner: relativePath(owner.rootUri, uri) ?? '' }];
    const below = records.filter(({ rootUri }) => relativePath(uri, rootUri) !== null);
    if (below.length === 0) {
      throw new TroveError('not_found', `No registered source holds ${uri}`, {
        suggestions: [
          `Add it first: trove add ${path}`,
          'Search all sources by leaving the path out.',
        ],
      });
    }
    return below.map((record) => ({ record, inner: '' }));
  }

  async *#grepSource(
    record: ConnectorRecord,
    request: GrepRequest,
  ): AsyncGenerator<Match, void, undefined> {
    try {
      const connector = await this.#sources.open(record);
      const { grep } = await connector.capabilities(request.signal);
      if (grep) {
        for await (const item of connector.grep(request)) yield toMatch(record, item, 'pushdown');
      } else {
        yield* this.#linear(record, request);
      }
    } catch (error) {
      request.signal.throwIfAborted();
      const own =
        error instanceof TroveError && ['validation_error', 'not_found'].includes(error.code);
      if (own) throw error;
      yield notice(
        `${record.rootUri} could not be searched: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  /** Reads the texts that the last sync found: all, or those that the index does not rule out. */
  async *#linear(
    record: ConnectorRecord,
    request: GrepRequest,
  ): AsyncGenerator<Match, void, undefined> {
    const connector = await this.#sources.open(record);
    const isCandidate = request.regex
      ? null
      : await this.#gate.run(request.signal, () =>
          grepCandidates(this.#collection, record.id, request),
        );
    let after: string | null = null;
    let found = 0;
    const via = isCandidate === null ? 'linear' : 'bm25';
    for (;;) {
      const objects = await this.#store.objectsAfter(record.id, {
        prefix: request.path,
        after,
        limit: pageSize,
      });
      for (const object of objects) {
        if (object.kind === 'binary' || object.kind === 'image' || !object.indexable) continue;
        if (isCandidate?.(object) === false) continue;
        try {
          const text = await this.#textOf(connector, object, request.signal);
          const { pattern, regex, ignoreCase, context, limit } = request;
          const { matches: lines, complete } = await this.#pool.run(
            'match',
            { text, pattern, regex, ignoreCase, context, limit: limit - found },
            matchLimitMs,
          );
          found += lines.length;
          for (const line of lines) yield toMatch(record, { path: object.path, ...line }, via);
          if (!complete) {
            yield notice(
              `The regular expression takes too long in ${joinUri(record.rootUri, object.path)}: not all of it was searched.`,
            );
          }
          if (found >= limit) return;
        } catch (error) {
          request.signal.throwIfAborted();
          yield notice(
            `${joinUri(record.rootUri, object.path)} was skipped: ${error instanceof Error ? error.message : String(error)}`,
          );
        }
      }
      const last = objects.at(-1);
      if (last === undefined || objects.length < pageSize) return;
      after = last.path;
    }
  }

  async #textOf(
    connector: Awaited<ReturnType<Sources['open']>>,
    { path, kind }: ObjectRecord,
    signal: AbortSignal,
  ): Promise<string> {
    if (!consistsOfRecords(await connector.capabilities(signal), kind)) {
      const content = await connector.read(path, signal);
      return wholeText(decodePieces(content, path), linearMaxChars);
    }
    const lines: string[] = [];
    for await (const item of connector.records(path, signal))
      lines.push(JSON.stringify(item.fields));
    return lines.join('\n');
  }
}

function toMatch(record: ConnectorRecord, item: GrepItem, via: Match['via']): Match {
  if ('notice' in item) return notice(item.notice);
  return {
    source: joinUri(record.rootUri, item.path),
    locator: { lines: [...item.lines] },
    content: item.content,
    via,
  };
}

function notice(content: string): Match {
  return { source: null, locator: null, content, via: 'notice' };
}
