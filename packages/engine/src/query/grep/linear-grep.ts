import { inject, injectable, createToken } from '@trove/core/di';
import { isDocumentError, type Gate } from '@trove/runtime';
import {
  messageOf,
  TroveError,
  joinUri,
  type GrepItem,
  type GrepRequest,
  type RecordKey,
} from '@trove/core';
import type { ConnectorRecord, ObjectRecord, ObjectTypeFilter } from '@trove/core/store';
import { compilePathFilter } from '@trove/text/glob';
import type { TimedMatches } from '@trove/text/grep';
import { CallerPoolToken, type ComputePool } from '../../content/compute/compute-pool.js';
import { ContentsToken, consistsOfRecords, type Contents } from '../../content/contents.js';
import {
  ActiveObjectsToken,
  type ActiveObjects,
} from '../../generations/selection/active-objects.js';
import { GenerationsToken, type Generations } from '../../generations/selection/generations.js';
import { QueryGateToken } from '../../tokens.js';
import type { ByteContent } from '../../content/byte-content.js';
import { canHaveText } from '../../sources/objects/stated-type.js';
import type { RecordContent } from '../../content/record-content.js';
import { toJsonLine } from '../../content/record-line.js';
import { locatorOf } from '../../content/record-values.js';
import { segmentsOf, type TextSegment } from '../../content/segments.js';
import type { GuardedConnector } from '../../sources/connectors/guarded-connector.js';
import { createCandidateFilter } from './grep-candidates.js';
import { UnreadableDocuments } from './unreadable-documents.js';

export interface LinearGrepItem {
  readonly item: GrepItem;
  readonly via: 'bm25' | 'linear';
}

/** Selects the objects of a source to search. */
export interface LinearSelection {
  readonly isWanted: (object: ObjectRecord) => boolean;
  /** Types of which all wanted objects are. Null: any. */
  readonly types: ObjectTypeFilter | null;
}

const everything: LinearSelection = { isWanted: () => true, types: null };

/** The result of asking the index. */
interface NarrowedSearch {
  readonly via: 'bm25' | 'linear';
  readonly isCandidate: (object: ObjectRecord) => boolean;
}

const pageSize = 500;
const matchLimitMs = 10_000;
/** Characters of records searched in one batch, and the maximum length of a record. */
const batchChars = 1024 * 1024;
const recordChars = 16 * batchChars;

/** The token of `LinearGrepper` in an engine's container. */
export const LinearGrepperToken = createToken<LinearGrepper>('engine.linear_grepper');

/** Searches a source without its own search by reading the objects that the last sync found. */
@injectable()
export class LinearGrepper {
  readonly #store: ActiveObjects;
  readonly #pool: ComputePool;
  readonly #generations: Generations;
  readonly #gate: Gate;
  readonly #contents: Contents;

  constructor(
    @inject(ActiveObjectsToken) store: ActiveObjects,
    @inject(CallerPoolToken) pool: ComputePool,
    @inject(GenerationsToken) generations: Generations,
    @inject(QueryGateToken) gate: Gate,
    @inject(ContentsToken) contents: Contents,
  ) {
    this.#store = store;
    this.#pool = pool;
    this.#generations = generations;
    this.#gate = gate;
    this.#contents = contents;
  }

  /** Searches all selected texts that the index does not rule out. */
  async *grep(
    record: ConnectorRecord,
    connector: GuardedConnector,
    request: GrepRequest,
    { isWanted, types }: LinearSelection = everything,
  ): AsyncGenerator<LinearGrepItem, void, undefined> {
    let remaining = request.limit;
    const unreadable = new UnreadableDocuments();
    const { path, after } = request;
    const matches = compilePathFilter(request.globs, path);
    let narrowed: NarrowedSearch | null = null;
    for await (const object of this.#objects(record, path, after?.path ?? null, types)) {
      if (!object.indexable || !canHaveText(object) || !isWanted(object)) continue;
      if (!matches(object.path)) continue;
      narrowed ??= await this.#narrow(record, connector, request);
      if (!narrowed.isCandidate(object)) continue;
      const { via } = narrowed;
      const skip = object.path === after?.path ? after.matches : 0;
      const limit = Math.min(remaining, request.limitPerObject - skip);
      if (limit <= 0) continue;
      try {
        for await (const item of this.#search(connector, object, { ...request, limit, skip })) {
          yield { item, via };
          if (!('notice' in item) && --remaining <= 0) return;
        }
      } catch (error) {
        request.signal.throwIfAborted();
        const reason = messageOf(error);
        if (isDocumentError(error)) unreadable.add(object.path, reason);
        else yield { item: { notice: `${object.path} was skipped: ${reason}` }, via };
      }
    }
    const via = narrowed?.via ?? 'linear';
    for (const item of unreadable.notices()) yield { item, via };
  }

  /** Asks the index which objects may match. Called for the first selected object, because there may be none. */
  async #narrow(
    record: ConnectorRecord,
    connector: GuardedConnector,
    request: GrepRequest,
  ): Promise<NarrowedSearch> {
    const mayContain = request.regex
      ? null
      : await this.#gate.run(request.signal, async () => {
          const { collection } = (await this.#generations.active()).of(record.id);
          return createCandidateFilter(collection, record.id, request);
        });
    if (mayContain === null) return { via: 'linear', isCandidate: () => true };
    const capabilities = await connector.capabilities(request.signal);
    // Records are displayed and indexed as different texts.
    const isCandidate = (object: ObjectRecord): boolean =>
      mayContain(object) || consistsOfRecords(capabilities, object.kind);
    return { via: 'bm25', isCandidate };
  }

  /** Yields the object at a path and the objects below it, starting at `from`. Throws `not_found` if there are none. */
  async *#objects(
    record: ConnectorRecord,
    path: string,
    from: string | null,
    types: ObjectTypeFilter | null,
  ): AsyncGenerator<ObjectRecord, void, undefined> {
    const atPath = path === '' ? [] : await this.#store.findObjects(record.id, [path]);
    const isAfterPath = from !== null && from !== path;
    if (!isAfterPath) yield* atPath;
    if (isAfterPath) yield* await this.#store.findObjects(record.id, [from]);
    let found = atPath.length > 0 || path === '' || isAfterPath;
    const prefix = path === '' ? '' : `${path}/`;
    let after: string | null = isAfterPath ? from : null;
    for (;;) {
      const page: ObjectRecord[] = await this.#store.listObjects(record.id, {
        prefix,
        after,
        limit: pageSize,
        ...(types === null ? {} : { types }),
      });
      found ||= page.length > 0;
      yield* page;
      const last = page.at(-1);
      if (last === undefined || page.length < pageSize) break;
      after = last.path;
    }
    if (found) return;
    throw new TroveError('not_found', `There is nothing at ${joinUri(record.rootUri, path)}`, {
      suggestions: ['If the object is new, sync its source first.'],
    });
  }

  async *#search(
    connector: GuardedConnector,
    object: ObjectRecord,
    request: ObjectGrepRequest,
  ): AsyncGenerator<GrepItem, void, undefined> {
    const content = await this.#contents.open(connector, object, 'reads', request.signal);
    if (content.form === 'records') yield* this.#records(content, object.path, request);
    else yield* this.#lines(content, object.path, request);
  }

  async *#lines(
    content: ByteContent,
    path: string,
    request: ObjectGrepRequest,
  ): AsyncGenerator<GrepItem, void, undefined> {
    const { pattern, context } = request;
    const margin = Math.max(context, pattern.split('\n').length - 1);
    const quota = new MatchQuota(request);
    for await (const segment of segmentsOf(content.text(), margin)) {
      if ('skippedLine' in segment) {
        yield { notice: `Line ${segment.skippedLine} of ${path} is too long to search.` };
        continue;
      }
      const { matches, complete } = await this.#match(segment, request, quota.needed);
      for (const { lines, content: found, match } of quota.take(matches)) {
        const toTextLines = ([first, last]: readonly [number, number]) =>
          [segment.linesBefore + first, segment.linesBefore + last] as const;
        const position = { lines: toTextLines(match.lines), column: match.column };
        yield { path, lines: toTextLines(lines), content: found, match: position };
      }
      if (!complete) yield timeoutNotice(path);
      if (!complete || quota.needed <= 0) return;
    }
  }

  /** Searches records as lines of JSON, as `cat` shows them. A match has the key of its record. */
  async *#records(
    content: RecordContent,
    path: string,
    request: ObjectGrepRequest,
  ): AsyncGenerator<GrepItem, void, undefined> {
    let keys: RecordKey[] = [];
    let lines = '';
    const quota = new MatchQuota(request);
    const search = async (): Promise<{ items: GrepItem[]; complete: boolean }> => {
      const segment = { text: lines, linesBefore: 0, from: 0, to: lines.length };
      const withoutContext = { ...request, context: 0 };
      const { matches, complete } = await this.#match(segment, withoutContext, quota.needed);
      const items = quota.take(matches).flatMap(({ lines: [line], content: found }): GrepItem[] => {
        const key = keys[line - 1];
        return key === undefined ? [] : [{ path, key, content: found }];
      });
      if (!complete) items.push(timeoutNotice(path));
      keys = [];
      lines = '';
      return { items, complete };
    };
    const problems: string[] = [];
    const records = content.records({}, ({ error }) => void problems.push(error.detail));
    for await (const record of records) {
      const line = toJsonLine(record);
      if (line.length > recordChars) {
        yield { notice: `A record of ${path} is too long to search.` };
        continue;
      }
      keys.push(locatorOf(record, content.rule));
      lines += line;
      if (lines.length < batchChars) continue;
      const { items, complete } = await search();
      yield* items;
      if (!complete || quota.needed <= 0) return;
    }
    yield* (await search()).items;
    const [problem] = problems;
    if (problem !== undefined)
      yield { notice: `${problems.length} of the records of ${path} were skipped: ${problem}` };
  }

  async #match(segment: TextSegment, request: GrepRequest, limit: number): Promise<TimedMatches> {
    request.signal.throwIfAborted();
    const { pattern, regex, ignoreCase, context, onlyMatching } = request;
    const { text, from, to } = segment;
    const search = { text, from, to, pattern, regex, ignoreCase, context, onlyMatching, limit };
    return this.#pool.run('match', search, { limitMs: matchLimitMs });
  }
}

/** The search of one object. `skip` is the number of matches on previous pages. */
type ObjectGrepRequest = GrepRequest & { readonly skip: number };

/** Counts the matches of an object across its segments. */
class MatchQuota {
  #skip: number;
  #left: number;

  constructor({ skip, limit }: ObjectGrepRequest) {
    this.#skip = skip;
    this.#left = limit;
  }

  get needed(): number {
    return this.#skip + this.#left;
  }

  take<T>(matches: readonly T[]): readonly T[] {
    const rest = matches.slice(this.#skip);
    this.#skip = Math.max(0, this.#skip - matches.length);
    this.#left -= rest.length;
    return rest;
  }
}

function timeoutNotice(path: string): GrepItem {
  return {
    notice: `The pattern takes too long in ${path}, which was searched only in part.`,
  };
}
