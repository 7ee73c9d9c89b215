import type { Connector, ConnectorContext } from '@trove/core';
import { configFor, connectorContext } from '@trove/testkit';

import { connectorHttp } from '@trove/test-support/connector-http.js';
import plugin from '../src/index.js';
import type { FakeDiscord } from './fake.js';

export const target = 'discord://100000000000000000';
const minuteMs = 60_000;

export type OpenedDiscord = Connector &
  Required<Pick<Connector, 'changes' | 'check' | 'close' | 'grep' | 'records'>>;

export function settingsFor({ service }: FakeDiscord): Record<string, unknown> {
  return { base_url: `${service.origin}/api/v10`, token: 'bot-token-1' };
}

export async function openDiscord(
  fake: FakeDiscord,
  settings: Readonly<Record<string, unknown>> = {},
  own: Partial<ConnectorContext<unknown>> = {},
): Promise<OpenedDiscord> {
  const config = configFor(plugin, { ...settingsFor(fake), ...settings });
  const context = connectorContext({ target, http: connectorHttp(), ...own, config });
  const connector = await plugin.create(context);
  const { changes, check, close, grep, records } = connector;
  if (!changes || !check || !close || !grep || !records)
    throw new Error('The connector lacks a method.');
  return { ...connector, changes, check, close, grep, records };
}

/** Sets the clock of the server to a time before now. */
export function setAge({ world }: FakeDiscord, minutes: number): void {
  world.now = Date.now() - minutes * minuteMs;
}

export function neverAborted(): AbortSignal {
  return new AbortController().signal;
}

/** Returns the requested paths below the version of the API, with `ID` for ids. */
export function requestsOf({ service }: FakeDiscord): string[] {
  return service.exchanges.map(({ request: { path } }) =>
    path.replace('/api/v10', '').replaceAll(/\d{10,}/g, 'ID'),
  );
}
