import type { Connector } from '@trove/core';
import { configFor, connectorContext } from '@trove/testkit';

import { connectorHttp } from '@trove/test-support/connector-http.js';
import plugin from '../src/index.js';
import type { FakeGithub } from './fake.js';

export const target = 'github://acme/rocket';

/** The settings with which the connector reads from a fake service. */
export function settingsFor({ service }: FakeGithub): { base_url: string; token: string } {
  return { base_url: service.origin, token: 'token-1' };
}

export async function open(
  fake: FakeGithub,
  settings: Readonly<Record<string, unknown>> = {},
  at = target,
): Promise<Connector> {
  const config = configFor(plugin, { ...settingsFor(fake), ...settings });
  return plugin.create(connectorContext({ config, target: at, http: connectorHttp() }));
}
