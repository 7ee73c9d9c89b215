import {
  locatorKey,
  type Connector,
  type GrepItem,
  type GrepRequest,
  type RecordKey,
} from '@trove/core';

import { expect } from '../expect.js';
import { neverAborted, collect } from './open.js';

export type AnyGrepMatch = Exclude<GrepItem, { notice: unknown }>;
export type GrepLineMatch = Extract<GrepItem, { lines: unknown }>;
export type GrepRecordMatch = Extract<GrepItem, { key: unknown }>;

/** Returns all matches of a literal search in everything, with overrides in `request`. */
export async function search(
  connector: Connector,
  request: Partial<GrepRequest>,
): Promise<AnyGrepMatch[]> {
  expect(connector.grep !== undefined, 'the connector has no `grep`');
  const items = connector.grep({
    pattern: '',
    regex: false,
    ignoreCase: false,
    context: 0,
    path: '',
    globs: [],
    excludedMediaTypes: [],
    onlyMatching: false,
    limit: 10_000,
    limitPerObject: 10_000,
    after: null,
    signal: neverAborted(),
    ...request,
  });
  return (await collect(items)).flatMap((item) => ('notice' in item ? [] : [item]));
}

/** Returns the matches in texts. */
export async function matches(
  connector: Connector,
  request: Partial<GrepRequest>,
): Promise<GrepLineMatch[]> {
  return (await search(connector, request)).filter((item) => 'lines' in item);
}

/** Returns the matches in records. */
export async function recordMatches(
  connector: Connector,
  request: Partial<GrepRequest>,
): Promise<GrepRecordMatch[]> {
  return (await search(connector, request)).filter((item) => 'key' in item);
}

/** Returns the place of a match: a path with a line or key. */
export function placeOf(
  item: Pick<GrepLineMatch, 'path' | 'lines'> | { readonly path: string; readonly key: RecordKey },
): string {
  return `${item.path}:${'key' in item ? locatorKey(item.key) : item.lines[0]}`;
}
