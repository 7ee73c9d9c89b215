import type { Change, Connector, ConnectorContext } from '@trove/core';
import { configFor, connectorContext } from '@trove/testkit';

import { connectorHttp } from '@trove/test-support/connector-http.js';
import plugin from '../src/index.js';
import type { FakeNotion } from './fake.js';

export const target = 'notion://acme';
const minuteMs = 60_000;

export function settingsFor({ service }: FakeNotion): Record<string, unknown> {
  return { base_url: service.origin, token: 'token-1' };
}

/** Opens the connector on a fake. Its clock is put back, so its pages are older than the cursor of the next sync. */
export async function openNotion(
  fake: FakeNotion,
  settings: Readonly<Record<string, unknown>> = {},
  own: Partial<ConnectorContext<unknown>> = {},
): Promise<Connector> {
  const config = configFor(plugin, { ...settingsFor(fake), ...settings });
  return plugin.create(connectorContext({ target, http: connectorHttp(), ...own, config }));
}

/** Sets the clock of the workspace to a time before now. */
export function setAge({ world }: FakeNotion, minutes: number): void {
  world.now = Date.now() - minutes * minuteMs;
}

export function neverAborted(): AbortSignal {
  return new AbortController().signal;
}

/** Returns the changes since a cursor, without checkpoints, and the new cursor. */
export async function changesSince(
  connector: Connector,
  cursor?: unknown,
): Promise<{ readonly changes: readonly Change[]; readonly cursor: unknown }> {
  let next: unknown;
  const changes: Change[] = [];
  for await (const change of connector.changes?.({
    cursor,
    commit: (value) => (next = structuredClone(value)),
    signal: neverAborted(),
  }) ?? [])
    if (!('checkpoint' in change)) changes.push(change);
  return { changes, cursor: next };
}

/** Returns the paths of entries, and removed paths with a minus. */
export function pathsOf(changes: readonly Change[]): string[] {
  return changes.flatMap((change) => {
    if ('entry' in change) return [change.entry.path];
    if ('removed' in change) return [`- ${change.removed}`];
    return 'path' in change ? [`${change.path}: ${change.records.length}`] : [];
  });
}

/** Returns the requests as `METHOD path`, without a page's own id. */
export function requestsOf({ service }: FakeNotion): string[] {
  return service.exchanges.map(({ request }) => `${request.method} ${request.path}`);
}

/** An id as names of pages contain it. */
export function shortId(id: string): string {
  return id.replaceAll('-', '');
}
