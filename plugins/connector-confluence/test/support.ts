import type { Change, Connector } from '@trove/core';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import { configFor, connectorContext } from '@trove/testkit';

import plugin from '../src/index.js';
import { startFakeConfluence, type FakeConfluence } from './fake.js';

export const neverAborted = new AbortController().signal;

export interface OpenConfluence extends FakeConfluence {
  readonly connector: Connector;
}

export function configOf({ service }: FakeConfluence): Readonly<Record<string, unknown>> {
  return {
    base_url: service.origin,
    edition: 'cloud',
    email: 'ann@acme.example',
    api_token: 'token-1',
  };
}

/** Starts a Confluence and opens a connector on it. Closes both at the end. */
export async function withConfluence(
  use: (open: OpenConfluence) => Promise<void>,
  target = 'confluence://acme',
  own: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await using fake = await startFakeConfluence();
  const config = configFor(plugin, { ...configOf(fake), ...own });
  const connector = await plugin.create(
    connectorContext({ target, http: connectorHttp(), config }),
  );
  try {
    await use({ ...fake, connector });
  } finally {
    await connector.close?.();
  }
}

export async function changesSince(
  connector: Connector,
  cursor: unknown,
): Promise<{ readonly changes: readonly Change[]; readonly cursor: unknown }> {
  let next: unknown;
  const changes: Change[] = [];
  const commit = (value: unknown): void => {
    next = structuredClone(value);
  };
  for await (const change of connector.changes?.({ cursor, commit, signal: neverAborted }) ?? [])
    if (!('checkpoint' in change)) changes.push(change);
  return { changes, cursor: next };
}

export async function textAt(connector: Connector, path: string): Promise<string> {
  const content = await connector.read?.(path, { signal: neverAborted });
  return new Response(content?.bytes).text();
}

/** The paths of the requests. */
export function requestsOf({ service }: FakeConfluence): string[] {
  return service.exchanges.map(({ request }) => request.path.replace(/^\/wiki(?:\/api\/v2)?/, ''));
}
