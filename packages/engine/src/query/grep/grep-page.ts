import type { GrepItem, GrepRequest } from '@trove/core';
import { compilePathFilter } from '@trove/text/glob';
import type { GuardedConnector } from '../../sources/connectors/guarded-connector.js';

/** Returns the requested page from all matches of a source whose search does not support paging. */
export async function* grepPage(
  connector: GuardedConnector,
  request: GrepRequest,
): AsyncGenerator<GrepItem, void, undefined> {
  const { globs, path, limit, limitPerObject, after } = request;
  const chooses = compilePathFilter(globs, path);
  const all = Number.MAX_SAFE_INTEGER;
  const everything = { ...request, globs: [], limit: all, limitPerObject: all, after: null };
  let place = { path: '', matches: 0 };
  let isPast = after === null;
  let left = limit;
  for await (const item of connector.grep(everything)) {
    if ('notice' in item) {
      if (after === null) yield item;
      continue;
    }
    if (!chooses(item.path)) continue;
    place = { path: item.path, matches: item.path === place.path ? place.matches + 1 : 1 };
    const isSeen = place.path === after?.path && place.matches <= after.matches;
    isPast ||= place.path === after?.path;
    if (!isPast || isSeen || place.matches > limitPerObject) continue;
    yield item;
    if (--left <= 0) return;
  }
}
