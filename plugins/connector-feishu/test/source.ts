import type { Change, Connector, Entry, SourceRecord } from '@trove/core';
import { configFor, connectorContext } from '@trove/testkit';

import { collect } from '@trove/test-support/collect.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import plugin from '../src/index.js';
import { startFakeFeishu, type FakeFeishu } from './fake.js';

export { plugin };
export const target = 'feishu://acme';

export function settingsFor({ service }: FakeFeishu): Record<string, unknown> {
  return { app_id: 'cli_1', app_secret: 'secret-1', base_url: service.origin };
}

export async function openFeishu(
  settings: Readonly<Record<string, unknown>>,
  uri = target,
): Promise<Connector> {
  const config = configFor(plugin, settings);
  return plugin.create(connectorContext({ target: uri, http: connectorHttp(), config }));
}

export function neverAborted(): AbortSignal {
  return new AbortController().signal;
}

export interface OpenFeishu {
  readonly fake: FakeFeishu;
  readonly connector: Connector;
}

/** Opens a connector on a fake, and closes both at the end. */
export async function withFeishu(
  use: (open: OpenFeishu) => Promise<void>,
  settings: Readonly<Record<string, unknown>> = {},
  targetOf: (fake: FakeFeishu) => string = () => target,
): Promise<void> {
  await using fake = await startFakeFeishu();
  const uri = targetOf(fake);
  const connector = await openFeishu({ ...settingsFor(fake), ...settings }, uri);
  try {
    await use({ fake, connector });
  } finally {
    await connector.close?.();
  }
}

/** Lists all entries by path. */
export async function entriesOf(connector: Connector): Promise<ReadonlyMap<string, Entry>> {
  const entries = await collect(connector.list({ signal: neverAborted() }));
  return new Map(entries.map((entry) => [entry.path, entry]));
}

export function recordsAt(connector: Connector, path: string): Promise<readonly SourceRecord[]> {
  return collect(connector.records?.(path, { signal: neverAborted() }));
}

export async function textAt(connector: Connector, path: string): Promise<string> {
  const content = await connector.read?.(path, { signal: neverAborted() });
  const { bytes = new Uint8Array() } = content ?? {};
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString() : 'a stream';
}

/** Returns the changes since a cursor, without checkpoints, and the new cursor. */
export async function changesSince(
  connector: Connector,
  cursor?: unknown,
): Promise<{ readonly changes: readonly Change[]; readonly cursor: unknown }> {
  let next: unknown;
  const request = {
    cursor,
    commit: (value: unknown) => {
      next = structuredClone(value);
    },
    signal: neverAborted(),
  };
  const changes = await collect(connector.changes?.(request));
  return { changes, cursor: next };
}

/** Returns the requests without those for tokens: `/im/v1/chats`. */
export function requestsOf({ service }: FakeFeishu): readonly string[] {
  return service.exchanges
    .map(({ request }) => request.path.replace('/open-apis', ''))
    .filter((path) => !path.startsWith('/auth/'));
}
