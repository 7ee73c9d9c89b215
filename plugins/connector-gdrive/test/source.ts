import type { Change, Connector, ConnectorContext } from '@trove/core';
import { configFor, connectorContext } from '@trove/testkit';

import { connectorHttp } from '@trove/test-support/connector-http.js';
import plugin from '../src/index.js';
import type { FakeDrive } from './fake.js';

export const target = 'gdrive://ann';

/** The addresses of a fake. */
export function addressesOf({ service }: FakeDrive): Record<string, unknown> {
  return { base_url: service.origin, token_url: `${service.origin}/token` };
}

export function settingsFor(fake: FakeDrive): Record<string, unknown> {
  const client = { client_id: 'client-1', client_secret: 'secret-1' };
  return { ...addressesOf(fake), ...client, refresh_token: 'refresh-1' };
}

export async function openDrive(
  settings: Readonly<Record<string, unknown>>,
  own: Partial<ConnectorContext<unknown>> = {},
): Promise<Connector> {
  const config = configFor(plugin, settings);
  return plugin.create(connectorContext({ target, http: connectorHttp(), ...own, config }));
}

export function neverAborted(): AbortSignal {
  return new AbortController().signal;
}

/** Returns the changes since a cursor, without checkpoints, and the new cursor. */
export async function changesSince(
  connector: Connector,
  cursor?: unknown,
): Promise<{ readonly changes: readonly Change[]; readonly cursor: unknown }> {
  let next: unknown;
  const changes: Change[] = [];
  for await (const change of connector.changes?.({
    cursor,
    commit: (value) => (next = structuredClone(value)),
    signal: neverAborted(),
  }) ?? [])
    if (!('checkpoint' in change)) changes.push(change);
  return { changes, cursor: next };
}

/** Returns the paths of entries, and removed paths with a minus. */
export function pathsOf(changes: readonly Change[]): string[] {
  return changes.map((change) => {
    if ('entry' in change) return change.entry.path;
    return 'removed' in change ? `- ${change.removed}` : JSON.stringify(change);
  });
}

/** Returns the paths of the requests, without those for tokens. */
export function requestsOf({ service }: FakeDrive): string[] {
  return service.exchanges
    .map(({ request }) => request.path.replace('/drive/v3', ''))
    .filter((path) => path !== '/token');
}
