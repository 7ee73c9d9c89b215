import type { Change, Connector, SourceRecord } from '@trove/core';
import { changesSince, recordsAt, type Synced } from '@trove/test-support/connector-reads.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import { configFor, connectorContext } from '@trove/testkit';

import plugin from '../src/index.js';
import { startFakeIntercom, type FakeIntercom } from './fake.js';

export const hourMs = 3_600_000;

export interface OpenIntercom extends FakeIntercom {
  readonly connector: Connector;
}

/** The settings with which the fake accepts the login. */
export function configOf({ service }: FakeIntercom): Readonly<Record<string, unknown>> {
  return { base_url: service.origin, token: 'token-1' };
}

export async function openConnector(
  fake: FakeIntercom,
  config: Readonly<Record<string, unknown>> = {},
): Promise<Connector> {
  const all = configFor(plugin, { ...configOf(fake), ...config });
  return plugin.create(
    connectorContext({ target: 'intercom://acme', http: connectorHttp(), config: all }),
  );
}

/** Starts an Intercom and opens a connector on it. Closes both at the end. */
export async function withIntercom(
  use: (open: OpenIntercom) => Promise<void>,
  config: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await using fake = await startFakeIntercom();
  const connector = await openConnector(fake, config);
  try {
    await use({ ...fake, connector });
  } finally {
    await connector.close?.();
  }
}

/** A first sync as the engine does it: the listing, and all records. */
export async function syncAll(connector: Connector): Promise<Synced> {
  const synced = await changesSince(connector, undefined);
  for (const path of ['conversations', 'tickets']) await recordsAt(connector, path);
  return synced;
}

/** The keys of records as texts: `1001`, `1001#1003`. */
export function keysOf(records: readonly Pick<SourceRecord, 'key'>[]): string[] {
  return records.map(({ key: { conversation, ticket, id } }) => {
    const parent = String(conversation ?? ticket);
    return parent === id ? parent : `${parent}#${String(id)}`;
  });
}

export function changedKeys(changes: readonly Change[]): string[] {
  const records = changes.flatMap((change) => ('records' in change ? change.records : []));
  return [...new Set(keysOf(records))];
}

/** The threads of which changes report everything. */
export function completeScopes(changes: readonly Change[]): unknown[] {
  return changes.flatMap((change) => ('complete' in change ? change.complete : []));
}

export function textsOf(records: readonly SourceRecord[]): unknown[] {
  return records.map(({ text }) => text);
}

/** The requests as texts: `GET /conversations/1001`. */
export function requestsOf({ service }: FakeIntercom): string[] {
  return service.exchanges.map(({ request: { method, path } }) => `${method} ${path}`);
}
