import type { Change, Connector, LoginLimitState, SourceRecord } from '@trove/core';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import { configFor, connectorContext } from '@trove/testkit';

import plugin from '../src/index.js';
import { startFakeHubspot, type FakeHubspot } from './fake.js';

/** Each call has a signal of its own, as in the engine. */
export const hourMs = 3_600_000;

/** Remembers no request, so tests need not wait for the next second. */
const noLimits: LoginLimitState = {
  get: async () => undefined,
  update: async (change) => void change(undefined),
};

export interface OpenHubspot extends FakeHubspot {
  readonly connector: Connector;
}

/** The settings with which the fake accepts the login. */
export function configOf({ service }: FakeHubspot): Readonly<Record<string, unknown>> {
  return { base_url: service.origin, token: 'token-1' };
}

export async function openConnector(
  fake: FakeHubspot,
  config: Readonly<Record<string, unknown>> = {},
  hasLimits = false,
): Promise<Connector> {
  const context = connectorContext({
    target: 'hubspot://acme',
    http: connectorHttp(),
    config: configFor(plugin, { ...configOf(fake), ...config }),
  });
  const credentials = { ...context.credentials, limits: noLimits };
  return plugin.create(hasLimits ? context : { ...context, credentials });
}

/** Starts a HubSpot and opens a connector on it. Closes both at the end. */
export async function withHubspot(
  use: (open: OpenHubspot) => Promise<void>,
  config: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await using fake = await startFakeHubspot();
  const connector = await openConnector(fake, config);
  try {
    await use({ ...fake, connector });
  } finally {
    await connector.close?.();
  }
}

export function idsOf(records: readonly Pick<SourceRecord, 'key'>[]): unknown[] {
  return records.map(({ key }) => key['id']);
}

/** The ids of changed records. */
export function changedIds(changes: readonly Change[]): unknown[] {
  return idsOf(changes.flatMap((change) => ('records' in change ? change.records : [])));
}

/** The ids of removed records. */
export function removedIds(changes: readonly Change[]): unknown[] {
  return changes.flatMap((change) =>
    'removedKeys' in change ? change.removedKeys.map((key) => key['id']) : [],
  );
}

/** The paths of the requests, without the version. */
export function requestsOf({ service }: FakeHubspot): string[] {
  return service.exchanges.map(({ request: { path, query } }) => {
    const isArchived = query.get('archived') === 'true' ? '?archived' : '';
    return `${path.replace(/^\/(?:crm\/)?/, '').replace('2026-03/', '')}${isArchived}`;
  });
}
