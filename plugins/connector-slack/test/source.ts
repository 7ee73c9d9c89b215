import type { Connector, ConnectorContext, SourceRecord, SourceState } from '@trove/core';
import { configFor, connectorContext } from '@trove/testkit';

import { collect } from '@trove/test-support/collect.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import plugin from '../src/index.js';
import type { FakeSlack } from './fake.js';
import { filesOrigin } from './fake/forms.js';

export { plugin };

export type Opened = Connector &
  Required<Pick<Connector, 'changes' | 'check' | 'close' | 'read' | 'records'>>;

/** An HTTP client for which the fake is also the host of files. */
export function httpOf({ service }: FakeSlack): typeof globalThis.fetch {
  const http = connectorHttp();
  return (input, init) =>
    typeof input === 'string' || input instanceof URL
      ? http(String(input).replace(filesOrigin, service.origin), init)
      : http(input, init);
}

/** Returns a configuration as users write it. */
export function settingsOf(
  { service }: FakeSlack,
  settings: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return { token: 'xoxb-1', base_url: `${service.origin}/api`, ...settings };
}

export async function openSlack(
  fake: FakeSlack,
  settings: Readonly<Record<string, unknown>> = {},
  own: Partial<ConnectorContext<unknown>> = {},
): Promise<Opened> {
  const config = configFor(plugin, settingsOf(fake, settings));
  const context = connectorContext({ target: 'slack://acme', http: httpOf(fake), ...own, config });
  const connector = await plugin.create(context);
  const { changes, check, close, read, records } = connector;
  if (!changes || !check || !close || !read || !records)
    throw new Error('The connector lacks a method.');
  return { ...connector, changes, check, close, read, records };
}

/** A state that outlasts its connector. */
export function durableState(): SourceState {
  let json: string | undefined;
  return {
    get: async () => (json === undefined ? undefined : JSON.parse(json)),
    set: (value) => {
      json = JSON.stringify(value);
    },
  };
}

export async function recordsAt(
  connector: Opened,
  path: string,
  options: Partial<Parameters<Opened['records']>[1]> = {},
): Promise<SourceRecord[]> {
  return collect(connector.records(path, { signal: neverAborted(), ...options }));
}

export function neverAborted(): AbortSignal {
  return new AbortController().signal;
}

/** Returns the methods of the API that were called, in order. */
export function calls({ service }: FakeSlack): string[] {
  return service.exchanges.map(({ request: { path } }) => path.replace('/api/', ''));
}
