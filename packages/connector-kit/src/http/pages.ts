import { TroveError } from '@trove/core';

import type {
  Answer,
  RequestDescription,
  Scope,
  StreamDescription,
  Value,
} from './description/index.js';
import { isRecord, isTruthy, pick } from './json.js';
import { cursorChange, defaultItems, firstPage, nextPage, partPaging } from './paging.js';
import { changePage, mergeRequests } from './request.js';
import type { PlannedStream } from './plan.js';
import type { HttpSource, Run } from './source.js';
import { evaluate } from './template.js';
import { durationMs, formatTime, timeOf } from './times.js';
import { continueWork, isSamePage, lostPage, repeatedPage, restart, type Work } from './work.js';

/** Items that contain each other more often have a cycle. */
const maxDepth = 100;

/** One page of a stream. */
export interface Page {
  readonly stream: PlannedStream;
  readonly work: Work;
  readonly items: readonly unknown[];
  /** The listing after this page. Null: it is complete. */
  readonly next: Work | null;
  /** The listings of the items that its items contain. */
  readonly nested: readonly Work[];
  /** The reason why the service does not list it, or leaves items out. */
  readonly skipped: string | null;
  /** Whether the answer has items, but leaves others out. */
  readonly isCut: boolean;
  /** The token to store as a cursor, of the last page of an export. */
  readonly token: unknown;
}

/** Requests the next page of a listing. */
export async function requestPage(source: HttpSource, work: Work, run: Run): Promise<Page> {
  const stream = plannedStream(source, work.stream);
  const scope = listingScope(source, stream, work, run);
  if (work.embedded !== undefined) {
    const { items } = await selectItems(stream, work, work.embedded, scope);
    return { ...emptyPage(stream, work), items };
  }
  const own = work.isGone === true ? (stream.description.gone ?? {}) : stream.description;
  const page = own.page ?? stream.description.page;
  const request = changePage(
    source.build(requestOf(stream, work, run), scope),
    work.page ?? firstPage(page),
  );
  for (let isRepeated = false; ; isRepeated = true) {
    const reply = await source.client.send(request, scope, run.signal, stream.description.errors);
    if ('none' in reply) {
      if (reply.none === 'expired') return requestPage(source, restart(work, reply.say), run);
      const isMissing = reply.none === 'absent' && stream.ancestors.length === 0;
      if (isMissing && run.isPart !== true) throw missing(reply.say);
      // A part of a thread that does not exist is not refused: its messages are deleted.
      const isGone = run.isPart === true && reply.isMissing;
      const isSkipped = reply.none === 'skip' && !isGone;
      return { ...emptyPage(stream, work), skipped: isSkipped ? reply.say : null };
    }
    if (reply.answer.status >= 400 && work.pages > 0)
      throw lostPage(source.host, stream.name, reply.answer.status);
    const path = run.partOf?.(stream)?.items ?? own.items ?? defaultItems(page);
    const isRequired = stream.description.itemsRequired === true || request.isGraphql;
    const items = await itemsOf(path, reply.answer, scope, {
      name: stream.name,
      isRequired: isRequired && run.isPart !== true,
      isPart: run.isPart === true,
    });
    const current = work.page ?? firstPage(page);
    const isSingle = run.isPart === true && items.length <= 1;
    const paging = isSingle ? partPaging(page) : page;
    const next = nextPage(paging, reply.answer, items, current);
    if (isSamePage(next, work.page)) {
      // A cache between the service and the kit may have repeated the answer once.
      if (!isRepeated) continue;
      throw repeatedPage(source.host, stream.name);
    }
    const kept = await selectItems(stream, work, items, scope);
    return {
      stream,
      work,
      items: kept.items,
      nested: await nestedWorks(stream, work, kept.items, scope),
      next:
        next === null || kept.isOver
          ? null
          : continueWork(work, next, { host: source.host, maxPages: stream.description.maxPages }),
      skipped: reply.gap ?? null,
      isCut: reply.gap !== undefined,
      token: exportToken(stream.description, work, reply.answer),
    };
  }
}

/** The scope of the requests and items of a listing. */
export function listingScope(
  source: HttpSource,
  stream: PlannedStream,
  work: Pick<Work, 'parents' | 'since' | 'container'>,
  run: Run,
): Scope {
  const parent = stream.description.for;
  const since = sinceOf(stream.description, work.since, run.start);
  const format = formatOf(stream.description);
  return source.scope(run, {
    item: parent === undefined ? undefined : work.parents[parent],
    parents: work.parents,
    since,
    values: {
      since: since === undefined ? undefined : formatTime(since, format),
      until: formatTime(run.start, format),
      ...(work.container === undefined ? {} : { container: work.container.item }),
    },
  });
}

/** Returns the scope with an item at hand. */
export function itemScope(scope: Scope, item: unknown): Scope {
  return { ...scope, item };
}

export function plannedStream(source: HttpSource, name: string): PlannedStream {
  const stream = source.plan.streams.get(name);
  if (stream === undefined)
    throw new TroveError('config_invalid', `The description has no stream \`${name}\``);
  return stream;
}

/** Returns the request of a listing, for its first page. */
export function requestOf(stream: PlannedStream, work: Work, run: Run): RequestDescription {
  const { description } = stream;
  if (work.isGone === true) return mergeRequests(description.gone);
  const { incremental } = description;
  const isIncremental = work.since !== undefined || incremental?.by === 'export';
  const sent =
    incremental !== undefined && incremental.by !== 'feed' && isIncremental
      ? incremental.send
      : undefined;
  return mergeRequests(
    description,
    work.page === null || incremental?.by !== 'export' ? sent : undefined,
    work.container === undefined ? undefined : description.nested?.send,
    work.counts === undefined ? run.partOf?.(stream) : description.keysOnly,
  );
}

/** Returns the begin of an incremental request, in milliseconds since 1970. */
function sinceOf(
  { incremental }: StreamDescription,
  cursor: number | undefined,
  start: number,
): number | undefined {
  if (incremental === undefined || incremental.by === 'feed') return cursor;
  if (cursor === undefined) return incremental.by === 'export' ? 0 : undefined;
  if (incremental.by === 'window') return start - durationMs(incremental.last);
  return Math.max(0, cursor - durationMs(incremental.overlap));
}

function formatOf({ incremental }: StreamDescription): 'iso' | 'seconds' | 'milliseconds' | 'date' {
  return (
    (incremental !== undefined && 'format' in incremental ? incremental.format : undefined) ?? 'iso'
  );
}

async function itemsOf(
  items: NonNullable<StreamDescription['items']>,
  answer: Answer,
  scope: Scope,
  {
    name,
    isRequired,
    isPart,
  }: { readonly name: string; readonly isRequired: boolean; readonly isPart: boolean },
): Promise<readonly unknown[]> {
  const found = await evaluate(items, answer.body, scope);
  if (Array.isArray(found)) return found;
  if (isPart && isRecord(found)) return [found];
  if (found === undefined && answer.body !== undefined && !isRequired) return [];
  const detail = `${new URL(answer.url).host}: the answer for \`${name}\` is not a list`;
  if (isRequired)
    throw new TroveError('connector_unhealthy', detail, { retryable: true, suggestions: [] });
  throw new TroveError('connector_unhealthy', detail, {
    suggestions: ['Set `items` in the description to the path of the list.'],
  });
}

function emptyPage(stream: PlannedStream, work: Work): Page {
  return {
    stream,
    work,
    items: [],
    next: null,
    nested: [],
    token: null,
    skipped: null,
    isCut: false,
  };
}

/** Returns the listings of the items that these items contain. Throws if they are nested endlessly. */
async function nestedWorks(
  { name, description }: PlannedStream,
  work: Work,
  items: readonly unknown[],
  scope: Scope,
): Promise<readonly Work[]> {
  const { nested, keep } = description;
  if (nested === undefined || work.isGone === true) return [];
  const depth = (work.container?.depth ?? 0) + 1;
  const works: Work[] = [];
  for (const item of items) {
    if (!isTruthy(await evaluate(nested.when, item, itemScope(scope, item)))) continue;
    if (depth > maxDepth) {
      throw new TroveError(
        'connector_unhealthy',
        `The items of \`${name}\` contain each other more than ${maxDepth} times`,
        { suggestions: [] },
      );
    }
    const container = { item: keep === undefined ? item : pick(item, keep), depth };
    const { mark: _mark, edge: _edge, carried: _carried, hasGap: _gap, ...rest } = work;
    works.push({ ...rest, container, page: null, pages: 0 });
  }
  return works;
}

/** Applies `where` and stops a newest-first listing at the first older item. */
async function selectItems(
  { description }: PlannedStream,
  work: Work,
  items: readonly unknown[],
  scope: Scope,
): Promise<{ readonly items: readonly unknown[]; readonly isOver: boolean }> {
  const { where } = description;
  const order = work.since === undefined ? undefined : newestFirstTime(description, work);
  const kept: unknown[] = [];
  for (const item of items) {
    if (order !== undefined && scope.since !== undefined) {
      const time = timeOf(await evaluate(order, item, scope));
      if (time !== undefined && time < scope.since) return { items: kept, isOver: true };
    }
    if (where === undefined || isTruthy(await evaluate(where, item, itemScope(scope, item))))
      kept.push(item);
  }
  return { items: kept, isOver: false };
}

/** Returns the time by which a listing is sorted, newest first. */
function newestFirstTime(
  { incremental, gone }: StreamDescription,
  { isGone }: Work,
): Value | undefined {
  const own = incremental?.by === 'newest-first' ? incremental.time : undefined;
  return isGone === true ? (gone?.time ?? own) : own;
}

/** Returns the token after an answer. An answer without items may have none, so the token of its request stays valid. */
function exportToken(
  { incremental, page }: StreamDescription,
  { page: requested }: Work,
  answer: Answer,
): unknown {
  if (incremental?.by !== 'export' || typeof page !== 'object' || page.by !== 'cursor') return null;
  const { values } = cursorChange(page, answer) ?? requested ?? {};
  return values?.[page.send] ?? null;
}

function missing(say: string): TroveError {
  return new TroveError('connector_unhealthy', say, {
    suggestions: ['Check the URI of the source, and whether the login may see it.'],
  });
}
