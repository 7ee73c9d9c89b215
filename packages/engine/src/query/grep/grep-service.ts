import { inject, injectable, createToken } from '@trove/core/di';
import {
  isTroveError,
  joinUri,
  messageOf,
  relativePath,
  TroveError,
  type GrepItem,
  type GrepPosition,
  type GrepRequest,
  type Infer,
} from '@trove/core';
import type { ConnectorRecord } from '@trove/core/store';
import { buildPattern } from '@trove/text/grep';
import { createAbortController, anySignal, type Gate } from '@trove/runtime';
import {
  SourceFinderToken,
  uriOfPart,
  type SourceFinder,
  type SourcePart,
} from '../../sources/connectors/source-finder.js';
import { partsBelow } from '../../sources/connectors/owner.js';
import { GrepGateToken } from '../../tokens.js';
import { LinearGrepperToken, type LinearGrepper } from './linear-grep.js';
import { NativeGrepperToken, supportsRequest, type NativeGrepper } from './native-grep.js';
import type { grepQuerySchema, GrepResponse } from '../../api/schemas.js';
import { PathReasonsToken, type PathReasons } from '../browse/path-reasons.js';
import { toGlobLists } from '../path-filter/path-filter.js';
import { prefetch } from './prefetch.js';
import { formatCursor, parseCursor, invalidCursor, type GrepCursor } from './grep-cursor.js';

type SourceMatch = GrepResponse['results'][number];

/** Maximum notices per answer. Further notices are only counted. */
const maxNotices = 100;
/** Maximum characters per answer. A longer one is truncated like one with too many matches. */
const maxAnswerChars = 8 * 1024 * 1024;
/** Time limit for a search of all its sources. */
const limitSeconds = 60;
/** Maximum number of sources that are searched at the same time. */
const maxConcurrentSources = 8;
/** The same for folders alone, which share threads and messages to them. */
const maxConcurrentFolders = 32;

const emptyResponse: GrepResponse = { results: [], truncated: false, next: null };

/** A part of a source to search. */
interface GrepScope extends SourcePart {
  /** Whether the request names it. Other parts may not exist. */
  readonly isRequested: boolean;
}

/** The search of a scope, from a position in it. */
interface ScopeSearch extends GrepScope {
  readonly after: GrepPosition | null;
  /** Index among all scopes. */
  readonly position: number;
}

type GrepSearch = Omit<GrepRequest, 'path' | 'limit' | 'after' | 'signal'>;

/** A match with the path of its object in the source; null for a notice. */
interface PathMatch {
  readonly path: string | null;
  readonly match: SourceMatch;
}

/** The token of `GrepService` in an engine's container. */
export const GrepToken = createToken<GrepService>('engine.grep');

/** Finds lines in sources, with the search of the source if it has one, or by reading its objects. */
@injectable()
export class GrepService {
  readonly #sources: SourceFinder;
  readonly #gate: Gate;
  readonly #linear: LinearGrepper;
  readonly #native: NativeGrepper;
  readonly #pathReasons: PathReasons;

  constructor(
    @inject(SourceFinderToken) sources: SourceFinder,
    @inject(GrepGateToken) gate: Gate,
    @inject(LinearGrepperToken) linear: LinearGrepper,
    @inject(NativeGrepperToken) native: NativeGrepper,
    @inject(PathReasonsToken) pathReasons: PathReasons,
  ) {
    this.#sources = sources;
    this.#gate = gate;
    this.#linear = linear;
    this.#native = native;
    this.#pathReasons = pathReasons;
  }

  async grep(query: Infer<typeof grepQuerySchema>, signal: AbortSignal): Promise<GrepResponse> {
    const { path, context, limit, cursor } = query;
    if (query.only_matching && (query.invert || query.pattern.includes('\n'))) {
      throw new TroveError(
        'validation_error',
        'only_matching: use a single-line pattern without invert',
      );
    }
    const search: GrepSearch = {
      ...buildPattern({ ...query, ignoreCase: query.ignore_case }),
      context: query.only_matching ? 0 : context,
      globs: toGlobLists(query),
      excludedMediaTypes: [],
      onlyMatching: query.only_matching,
      limitPerObject: query.max_per_object ?? Number.MAX_SAFE_INTEGER,
    };
    const start = cursor === undefined ? null : parseCursor(cursor);
    const scopes = await this.#scopes(path);
    const response = this.#gate.run(signal, () =>
      this.#searchAll(scopes, search, limit, start, signal),
    );
    return path === undefined || start !== null
      ? response
      : this.#withReason(response, path, signal);
  }

  /** Adds a notice to an answer without matches, or to a path without objects, if the source leaves the path out. */
  async #withReason(
    answered: Promise<GrepResponse>,
    path: string,
    signal: AbortSignal,
  ): Promise<GrepResponse> {
    const outcome = await answered.catch((error: unknown) => {
      if (isTroveError(error) && error.code === 'not_found') return error;
      throw error;
    });
    const response = isTroveError(outcome) ? emptyResponse : outcome;
    if (response.results.length > 0) return response;
    const reason = await this.#pathReasons.of(path, signal);
    if (isTroveError(outcome) && (reason?.isMissing ?? true)) throw outcome;
    if (reason === null) return response;
    return {
      ...response,
      results: [noticeMatch(`${reason.uri} was not searched: ${reason.text}`)],
    };
  }

  async #searchAll(
    scopes: readonly GrepScope[],
    search: GrepSearch,
    limit: number,
    start: GrepCursor | null,
    signal: AbortSignal,
  ): Promise<GrepResponse> {
    const results: SourceMatch[] = [];
    const timer = AbortSignal.timeout(limitSeconds * 1000);
    const aborter = createAbortController();
    const until = anySignal(signal, aborter.signal, timer);
    const startSearch = ({
      record,
      path,
      isRequested,
      after,
    }: ScopeSearch): AsyncGenerator<PathMatch, void, undefined> => {
      // One more match than requested shows whether there are more.
      const request = { ...search, path, limit: limit + 1, after, signal: until.signal };
      const found = this.#grepSource(record, request, timer);
      return isRequested || path === '' ? found : ignoreMissing(found);
    };
    const areFolders = scopes.every(({ record }) => record.type === 'file');
    let matches = 0;
    let notices = 0;
    let chars = 0;
    try {
      const searches = prefetch(
        searchesFrom(scopes, start),
        areFolders ? maxConcurrentFolders : maxConcurrentSources,
        startSearch,
        () => aborter.abort(),
      );
      for await (const { input: scope, items } of searches) {
        const progress = new GrepProgress(scope);
        const isDuplicate = this.#createDuplicateCheck(scope, scopes, search, until.signal, timer);
        for await (const item of items) {
          const { match } = item;
          if (item.path === null) {
            if (++notices <= maxNotices) results.push(match);
            continue;
          }
          if (await isDuplicate(match.source)) {
            progress.advance(item.path);
            continue;
          }
          chars += match.content.length;
          if (++matches > limit || chars > maxAnswerChars) {
            return { results, truncated: true, next: formatCursor(progress.cursor()) };
          }
          progress.advance(item.path);
          results.push(match);
        }
      }
    } finally {
      until.end();
    }
    if (notices > maxNotices) {
      results.push(noticeMatch(`${notices - maxNotices} more notices were omitted.`));
    }
    return { results, truncated: false, next: null };
  }

  /**
   * Tells whether an earlier, overlapping source returns the matches of an object. Caches the last answer, because
   * the matches of an object are consecutive.
   */
  #createDuplicateCheck(
    current: ScopeSearch,
    scopes: readonly GrepScope[],
    search: GrepSearch,
    signal: AbortSignal,
    timer: AbortSignal,
  ): (source: string | null) => Promise<boolean> {
    const { position } = current;
    const earlier = memoize(() =>
      scopes
        .slice(0, position)
        .filter((each) => isOverlapping(uriOfPart(each), uriOfPart(current))),
    );
    let last: { readonly source: string; readonly isFound: boolean } | null = null;
    const isFound = async (source: string): Promise<boolean> => {
      for (const scope of earlier()) {
        const { record } = scope;
        const path = relativePath(record.rootUri, source);
        if (path === null || relativePath(uriOfPart(scope), source) === null) continue;
        const request = { ...search, path, limit: 1, after: null, signal };
        if (await this.#hasMatch(record, request, timer)) return true;
      }
      return false;
    };
    return async (source) => {
      if (source === null) return false;
      if (last?.source !== source) last = { source, isFound: await isFound(source) };
      return last.isFound;
    };
  }

  async #hasMatch(
    record: ConnectorRecord,
    request: GrepRequest,
    timer: AbortSignal,
  ): Promise<boolean> {
    try {
      for await (const { path } of this.#grepSource(record, request, timer))
        if (path !== null) return true;
    } catch (error) {
      // The earlier source does not contain the object.
      if (!isTroveError(error) || error.code !== 'not_found') throw error;
    }
    return false;
  }

  /** Returns the parts of sources that a path refers to. */
  async #scopes(path: string | undefined): Promise<GrepScope[]> {
    const uri = path === undefined ? null : await this.#sources.findUri(path);
    const owner = uri === null ? null : await this.#sources.findOwner(uri);
    if (uri !== null && owner !== null)
      return [{ record: owner, path: relativePath(owner.rootUri, uri) ?? '', isRequested: true }];
    const all = (await this.#sources.listParts())
      .filter(({ record }) => record.status !== 'removing')
      .map((part) => ({ ...part, isRequested: false }));
    if (uri === null) return all;
    const below = partsBelow(all, uri);
    if (below.length === 0) {
      throw new TroveError('not_found', `No registered source contains ${uri}`, {
        suggestions: [
          'Add it or a folder that contains it.',
          'Omit the path to search all sources.',
        ],
      });
    }
    return below;
  }

  /** Yields the matches in one source. Errors and `timer`, which also ends the request's signal, become notices. */
  async *#grepSource(
    record: ConnectorRecord,
    request: GrepRequest,
    timer: AbortSignal,
  ): AsyncGenerator<PathMatch, void, undefined> {
    const { signal } = request;
    // Texts of a source may name its hidden parts.
    const isWhole = this.#sources.sees(record.rootUri);
    const uri = isWhole ? record.rootUri : joinUri(record.rootUri, request.path);
    try {
      signal.throwIfAborted();
      const connector = await this.#sources.open(record);
      const { grep } = await connector.capabilities(signal);
      const items = supportsRequest(grep, request)
        ? this.#native.grep(record, connector, request)
        : this.#linear.grep(record, connector, request);
      let hasHiddenNotice = false;
      for await (const { item, via } of items) {
        if ('notice' in item && !isWhole) hasHiddenNotice = true;
        // A connector may return more than the requested path.
        else if (!('path' in item) || isBelow(request.path, item.path))
          yield toPathMatch(record, item, via);
      }
      if (hasHiddenNotice) yield toNotice(`${uri} was searched only in part.`);
    } catch (error) {
      if (timer.aborted && signal.reason === timer.reason) {
        yield toNotice(
          `${uri} was searched only in part: the time limit is ${limitSeconds} seconds.`,
        );
        return;
      }
      signal.throwIfAborted();
      const isRequestError =
        error instanceof TroveError && ['validation_error', 'not_found'].includes(error.code);
      if (isRequestError) throw error;
      const reason = isWhole ? messageOf(error) : 'its source has a problem';
      yield toNotice(`${uri} could not be searched: ${reason}`);
    }
  }
}

function toPathMatch(record: ConnectorRecord, item: GrepItem, via: SourceMatch['via']): PathMatch {
  const { rootUri } = record;
  if ('notice' in item) return toNotice(`${rootUri}: ${item.notice}`);
  const { path, content } = item;
  const source = joinUri(rootUri, path);
  if ('key' in item) {
    return { path, match: { source, locator: { ...item.key }, content, via, match: null } };
  }
  const { lines, column } = item.match;
  const match = { lines: [...lines], column };
  return { path, match: { source, locator: { lines: [...item.lines] }, content, via, match } };
}

function toNotice(content: string): PathMatch {
  return { path: null, match: noticeMatch(content) };
}

function noticeMatch(content: string): SourceMatch {
  return { source: null, locator: null, content, via: 'notice', match: null };
}

/** Returns the searches that remain after the previous page. */
function searchesFrom(scopes: readonly GrepScope[], start: GrepCursor | null): ScopeSearch[] {
  const first =
    start === null
      ? 0
      : scopes.findIndex(
          ({ record, path }) => record.id === start.connectorId && isBelow(path, start.after.path),
        );
  if (first === -1) throw invalidCursor('its source is no longer searched');
  // A page that ended at the end of a source continues at the start of the next.
  const position = start === null || start.after.matches === 0 ? null : start.after;
  return scopes.slice(first).map((scope, index) => ({
    ...scope,
    after: index === 0 ? position : null,
    position: first + index,
  }));
}

/** Ends without an error if the searched part does not exist. */
async function* ignoreMissing(
  matches: AsyncIterable<PathMatch>,
): AsyncGenerator<PathMatch, void, undefined> {
  try {
    yield* matches;
  } catch (error) {
    if (!isTroveError(error) || error.code !== 'not_found') throw error;
  }
}

function isBelow(folder: string, path: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

function isOverlapping(one: string, other: string): boolean {
  return relativePath(one, other) !== null || relativePath(other, one) !== null;
}

function memoize<T>(compute: () => T): () => T {
  let cached: { readonly value: T } | null = null;
  return () => (cached ??= { value: compute() }).value;
}

/** The progress of the search in a source. */
class GrepProgress {
  readonly #connectorId: string;
  #last: GrepPosition;

  constructor({ record, path, after }: ScopeSearch) {
    this.#connectorId = record.id;
    this.#last = after ?? { path, matches: 0 };
  }

  /** Records that a match was returned or skipped. */
  advance(path: string): void {
    const matches = path === this.#last.path ? this.#last.matches + 1 : 1;
    this.#last = { path, matches };
  }

  cursor(): GrepCursor {
    return { connectorId: this.#connectorId, after: this.#last };
  }
}
