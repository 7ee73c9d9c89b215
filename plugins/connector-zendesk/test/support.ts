import type { Change, Connector, SourceRecord } from '@trove/core';
import { collect } from '@trove/test-support/collect.js';
import { changesSince, neverAborted, type Synced } from '@trove/test-support/connector-reads.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import { configFor, connectorContext } from '@trove/testkit';

import plugin from '../src/index.js';
import { startFakeZendesk, type FakeZendesk } from './fake.js';

/** Each call has a signal of its own, as in the engine. */
export const hourMs = 3_600_000;

export interface OpenZendesk extends FakeZendesk {
  readonly connector: Connector;
}

/** The settings with which the fake accepts the login. */
export function configOf({ service }: FakeZendesk): Readonly<Record<string, unknown>> {
  return { base_url: service.origin, email: 'ann@acme.example', api_token: 'token-1' };
}

export async function openConnector(
  fake: FakeZendesk,
  config: Readonly<Record<string, unknown>> = {},
): Promise<Connector> {
  const all = configFor(plugin, { ...configOf(fake), ...config });
  return plugin.create(
    connectorContext({ target: 'zendesk://acme', http: connectorHttp(), config: all }),
  );
}

/** Starts a Zendesk and opens a connector on it. Closes both at the end. */
export async function withZendesk(
  use: (open: OpenZendesk) => Promise<void>,
  config: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await using fake = await startFakeZendesk();
  const connector = await openConnector(fake, config);
  try {
    await use({ ...fake, connector });
  } finally {
    await connector.close?.();
  }
}

export async function recordsAt(
  connector: Connector,
  options: Partial<Parameters<NonNullable<Connector['records']>>[1]> = {},
): Promise<SourceRecord[]> {
  return collect(connector.records?.('tickets', { signal: neverAborted(), ...options }));
}

/** A first sync as the engine does it: the listing, and the records of the tickets. */
export async function syncAll(connector: Connector): Promise<Synced> {
  const synced = await changesSince(connector, undefined);
  await recordsAt(connector);
  return synced;
}

/** The keys of records as texts: `1`, `1#1003`. */
export function keysOf(records: readonly Pick<SourceRecord, 'key'>[]): string[] {
  return records.map(({ key: { stream, ticket, id } }) =>
    stream === 'tickets' ? String(id) : `${String(ticket)}#${String(id)}`,
  );
}

export function changedKeys(changes: readonly Change[]): string[] {
  const records = changes.flatMap((change) => ('records' in change ? change.records : []));
  return [...new Set(keysOf(records))];
}

/** The threads of which changes report everything. */
export function endedThreads(changes: readonly Change[]): unknown[] {
  return changes.flatMap((change) => ('complete' in change ? change.complete : []));
}

/** The paths of the requests, without `/api/v2` and `.json`. */
export function requestsOf({ service }: FakeZendesk): string[] {
  return service.exchanges.map(({ request }) =>
    request.path.replace('/api/v2', '').replace('.json', ''),
  );
}
