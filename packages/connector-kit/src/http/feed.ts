import { TroveError } from '@trove/core';

import type { FeedIncremental } from './description/index.js';
import { isTruthy, textOf, valueAt } from './json.js';
import { requestItem } from './one.js';
import { listingScope, plannedStream } from './pages.js';
import { firstPage, nextPage } from './paging.js';
import { changePage } from './request.js';
import type { HttpSource, Run } from './source.js';
import { evaluate } from './template.js';
import { workOf } from './children.js';
import { continueWork, isSamePage, repeatedPage, type Work } from './work.js';

/** With more changes, a full listing is as cheap. */
const maxChanges = 20_000;

/** A change of a feed. */
export interface FeedChange {
  readonly id: string;
  /** The id with its type, for keys. */
  readonly rawId: unknown;
  readonly isGone: boolean;
  readonly isFolder: boolean;
  /** Undefined: it must be requested, or it is gone. */
  readonly item: unknown;
}

/** The changes of a stream since a token. */
export interface FeedPart {
  readonly stream: string;
  readonly changes: readonly FeedChange[];
  /** The token for the next run. */
  readonly token: unknown;
}

/** Returns the change feed of a stream, if it has one. */
export function feedOf(source: HttpSource, name: string): FeedIncremental | null {
  const { incremental } = plannedStream(source, name).description;
  return incremental?.by === 'feed' ? incremental : null;
}

/** Requests the current token. */
export async function startToken(
  source: HttpSource,
  { start, errors }: FeedIncremental,
  run: Run,
): Promise<unknown> {
  const reply = await source.send(start, source.scope(run), run, errors);
  const token = 'none' in reply ? undefined : valueAt(reply.answer.body, start.token);
  if (token !== undefined && token !== null) return token;
  const detail = `${source.host} returned no token for the change feed`;
  throw new TroveError('connector_unhealthy', 'none' in reply ? reply.say : detail);
}

/** Reads the changes since a token. Returns null if the token has expired or there are too many. */
export async function readFeed(
  source: HttpSource,
  name: string,
  token: unknown,
  run: Run,
): Promise<FeedPart | null> {
  const feed = feedOf(source, name);
  if (feed === null) return null;
  const own = { ...run, values: { ...run.values, token } };
  const scope = listingScope(source, plannedStream(source, name), workOf(name, {}, undefined), own);
  const first = source.build(feed.changes, scope);
  const found = new Map<string, FeedChange>();
  for (let work: Work = workOf(name, {}, undefined); ;) {
    const current = work.page ?? firstPage(feed.page);
    const reply = await source.client.send(
      changePage(first, current),
      scope,
      run.signal,
      feed.errors,
    );
    if ('none' in reply) {
      if (reply.none === 'expired') return null;
      throw new TroveError('connector_unhealthy', reply.say, { suggestions: [] });
    }
    const { body } = reply.answer;
    const items = await evaluate(feed.items, body, scope);
    if (!Array.isArray(items))
      throw new TroveError(
        'connector_unhealthy',
        `${source.host}: the answer with the changes of \`${name}\` has no list`,
        { retryable: true, suggestions: [] },
      );
    const listed: readonly unknown[] = items;
    for (const change of listed) {
      const parsed = await parseChange(feed, change, scope);
      if (parsed === null) continue;
      // Of several changes of one item, the last one counts.
      found.delete(parsed.id);
      found.set(parsed.id, parsed);
    }
    if (found.size > maxChanges) return null;
    const next = nextPage(feed.page, reply.answer, listed, current);
    if (next === null)
      return {
        stream: name,
        changes: [...found.values()],
        token: valueAt(body, feed.next) ?? token,
      };
    if (isSamePage(next, work.page)) throw repeatedPage(source.host, name);
    work = continueWork(work, next, { host: source.host, maxPages: undefined });
  }
}

async function parseChange(
  feed: FeedIncremental,
  change: unknown,
  scope: Parameters<typeof evaluate>[2],
): Promise<FeedChange | null> {
  const rawId = await evaluate(feed.id, change, scope);
  const id = textOf(rawId);
  if (id === undefined) return null;
  const is = async (value: FeedIncremental['isGone']): Promise<boolean> =>
    value !== undefined && isTruthy(await evaluate(value, change, scope));
  return {
    id,
    rawId,
    isGone: await is(feed.isGone),
    isFolder: await is(feed.isFolder),
    item: feed.item === undefined ? undefined : await evaluate(feed.item, change, scope),
  };
}

/** Returns the item of a change. Undefined if it does not exist any more. */
export async function changedItem(
  source: HttpSource,
  name: string,
  { id, rawId, item, isGone }: FeedChange,
  run: Run,
): Promise<unknown> {
  if (isGone) return undefined;
  return item ?? requestItem(source, name, { identity: id, key: { id: rawId } }, run);
}
