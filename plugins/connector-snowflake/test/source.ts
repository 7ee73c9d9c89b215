import type { Connector, ConnectorContext } from '@trove/core';
import { configFor, connectorContext } from '@trove/testkit';

import { connectorHttp } from '@trove/test-support/connector-http.js';
import plugin from '../src/index.js';
import { startFakeSnowflake, type FakeSnowflake } from './fake.js';
import type { FakeColumn } from './fake/world.js';

export const target = 'snowflake://myorg-acme/SHOP';

export const id: FakeColumn = { name: 'ID', type: 'FIXED', nullable: false };
export const name: FakeColumn = { name: 'NAME', type: 'TEXT', nullable: false };
export const note: FakeColumn = { name: 'NOTE', type: 'TEXT' };

export function settingsFor(fake: FakeSnowflake): Record<string, unknown> {
  return { base_url: fake.service.origin, user: 'reader', private_key: fake.key };
}

export function openSnowflake(
  settings: Readonly<Record<string, unknown>>,
  own: Partial<ConnectorContext<unknown>> = {},
): Promise<Connector> {
  const config = configFor(plugin, settings);
  const context = connectorContext({ target, http: connectorHttp(), ...own, config });
  return Promise.resolve(plugin.create(context));
}

export interface OpenSnowflake {
  readonly fake: FakeSnowflake;
  readonly connector: Connector;
}

/** Opens a connector on a fake, and closes both at the end. */
export async function withSnowflake(
  use: (open: OpenSnowflake) => Promise<void>,
  settings: Readonly<Record<string, unknown>> = {},
  own: Partial<ConnectorContext<unknown>> = {},
): Promise<void> {
  await using fake = await startFakeSnowflake();
  const connector = await openSnowflake({ ...settingsFor(fake), ...settings }, own);
  try {
    await use({ fake, connector });
  } finally {
    await connector.close?.();
  }
}

/** Returns the statements that were sent. */
export function statementsOf({ service }: FakeSnowflake): readonly string[] {
  return service.exchanges.flatMap(({ request }) => {
    const { statement }: { readonly statement?: string } = Object(request.body);
    return statement === undefined ? [] : [statement];
  });
}
