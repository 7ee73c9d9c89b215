import {
  joinUri,
  relativePath,
  TroveError,
  type ConnectorRecord,
  type GrepItem,
  type GrepRequest,
  type Infer,
  type MetadataStore,
} from '@trove/core';
import { compilePattern } from '@trove/core/grep';
import { anySignal, type Gate } from '@trove/runtime';
import type { grepQuerySchema, GrepResponse } from '../api/schemas.js';
import type { Connectors } from '../connectors/connectors.js';
import type { GuardedConnector } from '../connectors/guarded-connector.js';
import type { LinearGrepper } from './linear-grep.js';
import type { FoundItem, OwnGrepper } from './own-grep.js';

type Match = GrepResponse['results'][number];

/** Notices per answer; anything skipped beyond that is only counted. */
const noticesAtMost = 100;
/** Characters per answer; a longer one is cut off as if the limit of matches were reached. */
const answerChars = 8 * 1024 * 1024;
/** Time limit of one search over all its sources. */
const limitSeconds = 60;

/** A part of a source to search; path '' means all of it. */
interface Scope {
  readonly record: ConnectorRecord;
  readonly path: string;
}

/** Finds lines in sources: using the source's own search if it has one, else by reading its objects. */
export class GrepService {
  readonly #connectors: Connectors;
  readonly #store: MetadataStore;
  readonly #gate: Gate;
  readonly #linear: LinearGrepper;
  readonly #own: OwnGrepper;

  constructor(
    connectors: Connectors,
    store: MetadataStore,
    gate: Gate,
    linear: LinearGrepper,
    own: OwnGrepper,
  ) {
    this.#connectors = connectors;
    this.#store = store;
    this.#gate = gate;
    this.#linear = linear;
    this.#own = own;
  }

  async grep(query: Infer<typeof grepQuerySchema>, signal: AbortSignal): Promise<GrepResponse> {
    const { pattern, path, regex, ignore_case: ignoreCase, context, limit } = query;
    const search = { pattern, regex, ignoreCase, context };
    // Rejects an invalid regular expression before any source is asked.
    compilePattern(search);
    const scopes = await this.#scopes(path);
    return this.#gate.run(signal, () => this.#searchAll(scopes, search, limit, signal));
  }

  async #searchAll(
    scopes: readonly Scope[],
    search: Omit<GrepRequest, 'path' | 'limit' | 'signal'>,
    limit: number,
    signal: AbortSignal,
  ): Promise<GrepResponse> {
    const results: Match[] = [];
    const timer = AbortSignal.timeout(limitSeconds * 1000);
    let matches = 0;
    let notices = 0;
    let chars = 0;
    // Sources may overlap; a line that two of them hold is one match.
    const seen = new Set<string>();
    for (const scope of scopes) {
      // One more than requested shows whether there are more.
      const request = { ...search, path: scope.path, limit: limit + 1, signal };
      for await (const match of this.#grepSource(scope.record, request, timer)) {
        if (match.source === null) {
          if (++notices <= noticesAtMost) results.push(match);
          continue;
        }
        const place = `${match.source} ${JSON.stringify(match.locator)}`;
        if (seen.has(place)) continue;
        seen.add(place);
        chars += match.content.length;
        if (++matches > limit || chars > answerChars) return { results, truncated: true };
        results.push(match);
      }
    }
    if (notices > noticesAtMost) {
      results.push(notice(`${notices - noticesAtMost} more notices like these are left out.`));
    }
    return { results, truncated: false };
  }

  /** The sources that a path refers to, with the path inside each. */
  async #scopes(path: string | undefined): Promise<Scope[]> {
    const records = (await this.#store.connectors()).filter(({ status }) => status !== 'removing');
    if (path === undefined) return records.map((record) => ({ record, path: '' }));
    const uri = await this.#connectors.canonical(path);
    const owner = await this.#connectors.owner(uri);
    if (owner !== null) return [{ record: owner, path: relativePath(owner.rootUri, uri) ?? '' }];
    const below = records.filter(({ rootUri }) => relativePath(uri, rootUri) !== null);
    if (below.length === 0) {
      throw new TroveError('not_found', `No registered source holds ${uri}`, {
        suggestions: [
          'Add it, or a folder that holds it, first.',
          'Search all sources by leaving the path out.',
        ],
      });
    }
    return below.map((record) => ({ record, path: '' }));
  }

  async *#read(
    record: ConnectorRecord,
    connector: GuardedConnector,
    request: GrepRequest,
  ): AsyncGenerator<FoundItem, void, undefined> {
    const { items, via } = await this.#linear.grep(record, connector, request);
    for await (const item of items) yield { item, via };
  }

  /** The matches in one source. Errors become notices, and so does running out of time. */
  async *#grepSource(
    record: ConnectorRecord,
    request: GrepRequest,
    timer: AbortSignal,
  ): AsyncGenerator<Match, void, undefined> {
    try {
      timer.throwIfAborted();
      const bounded = { ...request, signal: anySignal(request.signal, timer) };
      const connector = await this.#connectors.open(record);
      const { grep } = await connector.capabilities(bounded.signal);
      const found = grep
        ? this.#own.grep(record, connector, bounded)
        : this.#read(record, connector, bounded);
      for await (const { item, via } of found) yield toMatch(record, item, via);
    } catch (error) {
      request.signal.throwIfAborted();
      if (timer.aborted) {
        yield notice(
          `${record.rootUri} was not searched to its end: a search gets ${limitSeconds} seconds.`,
        );
        return;
      }
      const own =
        error instanceof TroveError && ['validation_error', 'not_found'].includes(error.code);
      if (own) throw error;
      yield notice(
        `${record.rootUri} could not be searched: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
}

function toMatch({ rootUri }: ConnectorRecord, item: GrepItem, via: Match['via']): Match {
  if ('notice' in item) return notice(`${rootUri}: ${item.notice}`);
  const locator = 'key' in item ? { ...item.key } : { lines: [...item.lines] };
  return { source: joinUri(rootUri, item.path), locator, content: item.content, via };
}

function notice(content: string): Match {
  return { source: null, locator: null, content, via: 'notice' };
}
