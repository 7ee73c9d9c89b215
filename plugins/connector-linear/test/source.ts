import type { Connector, ConnectorContext } from '@trove/core';
import { configFor, connectorContext } from '@trove/testkit';

import { connectorHttp } from '@trove/test-support/connector-http.js';
import plugin from '../src/index.js';
import type { FakeLinear } from './fake.js';

export const target = 'linear://acme';
const minuteMs = 60_000;

export function settingsFor({ service }: FakeLinear): Record<string, unknown> {
  return { base_url: service.origin, token: 'lin_api_1' };
}

export async function openLinear(
  fake: FakeLinear,
  settings: Readonly<Record<string, unknown>> = {},
  own: Partial<ConnectorContext<unknown>> = {},
): Promise<Connector> {
  const config = configFor(plugin, { ...settingsFor(fake), ...settings });
  return plugin.create(connectorContext({ target, http: connectorHttp(), ...own, config }));
}

/** Sets the clock of the workspace to a time before now, so the next sync begins after it. */
export function setAge({ world }: FakeLinear, minutes: number): void {
  world.now = Date.now() - minutes * minuteMs;
}

/** Returns the root field of each query, in the order of the requests. */
export function queriesOf({ service }: FakeLinear): string[] {
  return service.exchanges.map(({ request }) => {
    const [, field = ''] = /\{\s*(\w+)/.exec(String(Object(request.body).query)) ?? [];
    return field;
  });
}
