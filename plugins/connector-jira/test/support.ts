import type { Change, Connector, SourceRecord } from '@trove/core';
import { collect } from '@trove/test-support/collect.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import { configFor, connectorContext } from '@trove/testkit';

import plugin from '../src/index.js';
import { startFakeJira, type FakeJira } from './fake.js';
import type { Edition } from './fake/world.js';

export const neverAborted = new AbortController().signal;

export interface OpenJira extends FakeJira {
  readonly connector: Connector;
}

/** Configurations with which the fake accepts the login. */
export function configOf({ world, service }: FakeJira): Readonly<Record<string, unknown>> {
  const { edition } = world;
  return edition === 'cloud'
    ? { base_url: service.origin, edition, email: 'ann@acme.example', api_token: 'token-1' }
    : { base_url: service.origin, token: 'token-1' };
}

/** Starts a Jira and opens a connector on it. Closes both at the end. */
export async function withJira(
  use: (open: OpenJira) => Promise<void>,
  {
    edition = 'cloud',
    config = {},
    target = 'jira://acme',
  }: {
    readonly edition?: Edition;
    readonly config?: Readonly<Record<string, unknown>>;
    readonly target?: string;
  } = {},
): Promise<void> {
  await using fake = await startFakeJira(edition);
  const all = configFor(plugin, { ...configOf(fake), ...config });
  const context = connectorContext({
    target,
    http: connectorHttp(),
    config: all,
  });
  const connector = await plugin.create(context);
  try {
    await use({ ...fake, connector });
  } finally {
    await connector.close?.();
  }
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
  for await (const change of connector.changes?.({ cursor, commit, warn, signal: neverAborted }) ??
    [])
    if (!('checkpoint' in change)) changes.push(change);
  return { changes, cursor: next };
}

export async function recordsAt(
  connector: Connector,
  path: string,
  options: Partial<Parameters<NonNullable<Connector['records']>>[1]> = {},
): Promise<SourceRecord[]> {
  return collect(connector.records?.(path, { signal: neverAborted, ...options }));
}

/** A first sync as the engine does it: the listing, and the records of all objects. */
export async function syncAll(connector: Connector): Promise<Synced> {
  const synced = await changesSince(connector, undefined);
  for (const change of synced.changes)
    if ('entry' in change && change.entry.kind === 'message_stream')
      await recordsAt(connector, change.entry.path);
  return synced;
}

/** The keys of changed records as texts: `TRV-1`, `TRV-1#10012`. */
export function changedKeys(changes: readonly Change[]): string[] {
  const records = changes.flatMap((change) => ('records' in change ? change.records : []));
  return [...new Set(records.map(({ key }) => keyText(key)))];
}

export function keyText({ stream, issue, id }: SourceRecord['key']): string {
  return stream === 'issues' ? String(issue) : `${String(issue)}#${String(id)}`;
}

/** The paths of the requests. */
export function requestsOf({ service }: FakeJira): string[] {
  return service.exchanges.map(({ request }) => request.path.replace(/^\/rest\/api\/\d/, ''));
}
