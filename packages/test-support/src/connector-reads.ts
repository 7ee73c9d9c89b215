import type { Change, Connector, Entry, SourceRecord } from '@trove/core';

import { collect } from './collect.js';

export function neverAborted(): AbortSignal {
  return new AbortController().signal;
}

/** Lists all entries by path. */
export async function entriesOf(connector: Connector): Promise<ReadonlyMap<string, Entry>> {
  const entries = await collect(connector.list({ signal: neverAborted() }));
  return new Map(entries.map((entry) => [entry.path, entry]));
}

/** Returns the paths whose fingerprints differ or are unknown. */
export function changedPaths(
  before: ReadonlyMap<string, Entry>,
  after: ReadonlyMap<string, Entry>,
): readonly string[] {
  return [...after.values()]
    .filter(
      ({ path, fingerprint }) =>
        fingerprint === null || before.get(path)?.fingerprint !== fingerprint,
    )
    .map(({ path }) => path);
}

/** Reads all records of an object. */
export function recordsAt(
  connector: Connector,
  path: string,
  options: Omit<Parameters<NonNullable<Connector['records']>>[1], 'signal'> = {},
): Promise<readonly SourceRecord[]> {
  return collect(connector.records?.(path, { signal: neverAborted(), ...options }));
}

/** A sync: the changes without checkpoints, and the new cursor. */
export interface Synced {
  readonly changes: readonly Change[];
  readonly cursor: unknown;
}

export async function changesSince(
  connector: Connector,
  cursor: unknown,
  warn: (sentence: string) => void = () => undefined,
): Promise<Synced> {
  let next: unknown;
  const changes: Change[] = [];
  const commit = (value: unknown): void => {
    next = structuredClone(value);
  };
  for await (const change of connector.changes?.({
    cursor,
    commit,
    warn,
    signal: neverAborted(),
  }) ?? [])
    if (!('checkpoint' in change)) changes.push(change);
  return { changes, cursor: next };
}
