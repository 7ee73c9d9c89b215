import type { Change, Connector, ConnectorContext, Entry } from '@trove/core';
import { configFor, connectorContext } from '@trove/testkit';

import { collect } from '@trove/test-support/collect.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import plugin from '../src/index.js';
import { startFakeDrive, type FakeDrive } from './fake.js';

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

export interface OpenDrive {
  readonly fake: FakeDrive;
  readonly connector: Connector;
}

/** Opens a connector on a fake, and closes both at the end. */
export async function withDrive(
  use: (open: OpenDrive) => Promise<void>,
  settings: (fake: FakeDrive) => Readonly<Record<string, unknown>> = () => ({}),
): Promise<void> {
  await using fake = await startFakeDrive();
  const connector = await openDrive({ ...settingsFor(fake), ...settings(fake) });
  try {
    await use({ fake, connector });
  } finally {
    await connector.close?.();
  }
}

/** Lists all entries. */
export async function entriesOf(connector: Connector): Promise<readonly Entry[]> {
  return collect(connector.list({ signal: neverAborted() }));
}

/** Returns the listed paths in order. */
export async function listedPaths(connector: Connector): Promise<readonly string[]> {
  return (await entriesOf(connector)).map(({ path }) => path).toSorted();
}

/** Reads a file or a range of it. */
export async function textAt(
  connector: Connector,
  path: string,
  range?: { readonly start: number; readonly end?: number },
): Promise<string> {
  const options = { signal: neverAborted(), ...(range === undefined ? {} : { range }) };
  const content = await connector.read?.(path, options);
  const chunks: Uint8Array[] = [];
  const { bytes = new Uint8Array() } = content ?? {};
  if (bytes instanceof Uint8Array) chunks.push(bytes);
  else for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
