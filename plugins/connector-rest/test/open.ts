import type { Connector, ConnectorContext } from '@trove/core';
import { configFor, connectorContext } from '@trove/testkit';
import { connectorHttp } from '@trove/test-support/connector-http.js';

import plugin from '../src/index.js';

export type Config = Readonly<Record<string, unknown>>;

/** Opens a source with a valid configuration. Throws the error of `create`. */
export async function openSource(
  config: Config,
  own: Partial<ConnectorContext<unknown>> = {},
): Promise<Connector> {
  return plugin.create(
    connectorContext({
      target: 'rest://stock',
      http: connectorHttp(),
      ...own,
      config: configFor(plugin, config),
    }),
  );
}

export function neverAborted(): AbortSignal {
  return new AbortController().signal;
}
