import type { Connector, RecordsOptions, SourceRecord } from '@trove/core';

import { collect } from './collect.js';

/** Returns the records of an object, optionally limited by `options`. */
export function recordsAt(
  connector: Connector,
  path: string,
  options: Partial<RecordsOptions> = {},
): Promise<SourceRecord[]> {
  const { signal } = new AbortController();
  return collect(connector.records?.(path, { signal, ...options }));
}
