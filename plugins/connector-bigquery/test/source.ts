import type { Connector, ConnectorContext } from '@trove/core';
import { configFor, connectorContext } from '@trove/testkit';

import { connectorHttp } from '@trove/test-support/connector-http.js';
import plugin from '../src/index.js';
import { startFakeBigQuery, type FakeBigQuery } from './fake.js';
import type { FakeField } from './fake/world.js';

export const target = 'bigquery://acme';

export const id: FakeField = { name: 'id', type: 'INTEGER', mode: 'REQUIRED' };
export const name: FakeField = { name: 'name', type: 'STRING', mode: 'REQUIRED' };
export const note: FakeField = { name: 'note', type: 'STRING' };

export function settingsFor(fake: FakeBigQuery): Record<string, unknown> {
  const { origin } = fake.service;
  return { base_url: origin, token_url: `${origin}/token`, service_account_key: fake.key };
}

function openBigQuery(
  settings: Readonly<Record<string, unknown>>,
  own: Partial<ConnectorContext<unknown>> = {},
): Promise<Connector> {
  const config = configFor(plugin, settings);
  const context = connectorContext({ target, http: connectorHttp(), ...own, config });
  return Promise.resolve(plugin.create(context));
}

export interface OpenBigQuery {
  readonly fake: FakeBigQuery;
  readonly connector: Connector;
}

/** Opens a connector on a fake, and closes both at the end. */
export async function withBigQuery(
  use: (open: OpenBigQuery) => Promise<void>,
  settings: Readonly<Record<string, unknown>> = {},
  own: Partial<ConnectorContext<unknown>> = {},
): Promise<void> {
  await using fake = await startFakeBigQuery();
  const connector = await openBigQuery({ ...settingsFor(fake), ...settings }, own);
  try {
    await use({ fake, connector });
  } finally {
    await connector.close?.();
  }
}

/** Returns the requests without those for tokens: `GET /datasets/sales/tables`. */
export function requestsOf({ service }: FakeBigQuery): readonly string[] {
  return service.exchanges
    .filter(({ request }) => request.path !== '/token')
    .map(
      ({ request }) =>
        `${request.method} ${request.path.replace('/bigquery/v2/projects/acme', '')}`,
    );
}
