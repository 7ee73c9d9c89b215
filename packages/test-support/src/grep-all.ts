import type { Connector, GrepItem, GrepRequest } from '@trove/core';
import { collect } from './collect.js';

/** Returns the matches of a literal search in the whole source, with overrides in `request`. */
export async function grepAll(
  connector: Connector,
  pattern: string,
  request: Partial<GrepRequest> = {},
): Promise<GrepItem[]> {
  const whole = {
    pattern,
    regex: false,
    ignoreCase: false,
    context: 0,
    path: '',
    globs: [],
    excludedMediaTypes: [],
    onlyMatching: false,
    limit: 1000,
    limitPerObject: 1000,
    after: null,
    signal: new AbortController().signal,
    ...request,
  };
  return collect(connector.grep?.(whole));
}
