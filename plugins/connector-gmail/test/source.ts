import type { Change, Connector, ConnectorContext, SourceRecord } from '@trove/core';
import { configFor, connectorContext } from '@trove/testkit';

import { collect } from '@trove/test-support/collect.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import plugin from '../src/index.js';
import { startFakeGmail, type FakeGmail } from './fake.js';

export const target = 'gmail://ann';
export const messagesPath = 'messages.jsonl';

/** The addresses of a fake. */
export function addressesOf({ service }: FakeGmail): Record<string, unknown> {
  return { base_url: service.origin, token_url: `${service.origin}/token` };
}

export function settingsFor(fake: FakeGmail): Record<string, unknown> {
  const client = { client_id: 'client-1', client_secret: 'secret-1' };
  return { ...addressesOf(fake), ...client, refresh_token: 'refresh-1' };
}

export async function openMailbox(
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
export async function changesSince(connector: Connector, cursor?: unknown) {
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

/** Returns short texts of changes: paths, removed paths with a minus, and ids of records. */
export function textsOf(changes: readonly Change[]): string[] {
  return changes.flatMap((change) => {
    if ('entry' in change) return [change.entry.path];
    if ('removed' in change) return [`- ${change.removed}`];
    if (!('records' in change)) return [JSON.stringify(change)];
    const { records, removedKeys } = change;
    return [
      ...records.map(({ key }) => `record ${String(key['id'])}`),
      ...removedKeys.map((key) => `- record ${String(key['id'])}`),
    ];
  });
}

export async function recordsOf(
  connector: Connector,
  options: { readonly thread?: string; readonly key?: { readonly id: string } } = {},
): Promise<readonly SourceRecord[]> {
  return collect(connector.records?.(messagesPath, { ...options, signal: neverAborted() }));
}

/** Returns the paths of the requests, without those for tokens. */
export function requestsOf({ service }: FakeGmail): string[] {
  return service.exchanges
    .map(({ request }) => request.path.replace('/gmail/v1/users/me', ''))
    .filter((path) => path !== '/token');
}

/** Opens a connector on a fake, and closes both at the end. */
export async function withMailbox(
  use: (open: { readonly fake: FakeGmail; readonly connector: Connector }) => Promise<void>,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await using fake = await startFakeGmail();
  const connector = await openMailbox({ ...settingsFor(fake), ...settings });
  try {
    await use({ fake, connector });
  } finally {
    await connector.close?.();
  }
}

/** Reads an attachment. */
export async function textAt(connector: Connector, path: string): Promise<string> {
  const { bytes = new Uint8Array() } =
    (await connector.read?.(path, { signal: neverAborted() })) ?? {};
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString() : '';
}
