import type { GrepItem, GrepRequest } from '@trove/core';
import { compilePathFilter } from '@trove/text/glob';
import type { GuardedConnector } from '../../sources/connectors/guarded-connector.js';

/** Returns the requested page from all matches of a source whose search does not support paging. */
export async function* grepPage(
  connector: GuardedConnector,
  request: GrepRequest,
): AsyncGenerator<GrepItem, void, undefined> {
  const { globs, path, limit, limitPerObject, after } = request;
  const matches = compilePathFilter(globs, path);
  const all = Number.MAX_SAFE_INTEGER;
  const everything = { ...request, globs: [], limit: all, limitPerObject: all, after: null };
  let position = { path: '', matches: 0 };
  let isAfterStart = after === null;
  let remaining = limit;
  for await (const item of connector.grep(everything)) {
    if ('notice' in item) {
      if (after === null) yield item;
      continue;
    }
    if (!matches(item.path)) continue;
    position = { path: item.path, matches: item.path === position.path ? position.matches + 1 : 1 };
    const isReturned = position.path === after?.path && position.matches <= after.matches;
    isAfterStart ||= position.path === after?.path;
    if (!isAfterStart || isReturned || position.matches > limitPerObject) continue;
    yield item;
    if (--remaining <= 0) return;
  }
}
