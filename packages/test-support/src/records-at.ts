import type { Connector, RecordsOptions, SourceRecord } from '@trove/core';

import { collect } from './collect.js';

/** The records of one object, or those that are asked for. */
export function recordsAt(
  connector: Connector,
  path: string,
  options: Partial<RecordsOptions> = {},
): Promise<SourceRecord[]> {
  const { signal } = new AbortController();
  return collect(connector.records?.(path, { signal, ...options }));
}
