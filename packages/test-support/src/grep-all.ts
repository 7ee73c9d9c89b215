import type { Connector, GrepItem, GrepRequest } from '@trove/core';
import { collect } from './collect.js';

/** What a source's own search finds: a text, wherever it is, unless `request` says otherwise. */
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
