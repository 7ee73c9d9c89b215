import type { Change, Connector, ConnectorContext, SourceRecord } from '@trove/core';
import { configFor, connectorContext } from '@trove/testkit';

import { collect } from '@trove/test-support/collect.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import { outlook } from '../src/index.js';
import { startFakeGraph, type FakeGraph } from './fake.js';
import { neverAborted, settingsFor } from './source.js';

export const mailTarget = 'outlook://ann';
export const messagesPath = 'messages.jsonl';

type Settings = Readonly<Record<string, unknown>>;

export async function openMailbox(
  settings: Settings,
  own: Partial<ConnectorContext<unknown>> = {},
): Promise<Connector> {
  const config = configFor(outlook, settings);
  const context = { target: mailTarget, http: connectorHttp(), ...own, config };
  return outlook.create(connectorContext(context));
}

/** Returns short texts of changes: paths, removed paths with a minus, and ids of records. */
export function textsOf(changes: readonly Change[]): string[] {
  return changes.flatMap((change) => {
    if ('entry' in change) return [change.entry.path];
    if ('removed' in change) return [`- ${change.removed}`];
    if (!('records' in change)) return [JSON.stringify(change)];
    const { records, removedKeys } = change;
    return [
      ...records.map(({ key }) => `record ${String(key['id'])}`),
      ...removedKeys.map((key) => `- record ${String(key['id'])}`),
    ];
  });
}

export async function recordsOf(
  connector: Connector,
  options: { readonly thread?: string; readonly key?: { readonly id: string } } = {},
): Promise<readonly SourceRecord[]> {
  return collect(connector.records?.(messagesPath, { ...options, signal: neverAborted() }));
}

/** Opens a connector of the user's mail on a fake, and closes both at the end. */
export async function withMailbox(
  use: (open: { readonly fake: FakeGraph; readonly connector: Connector }) => Promise<void>,
  settings: Settings = {},
): Promise<void> {
  await using fake = await startFakeGraph();
  const connector = await openMailbox({ ...settingsFor(fake), ...settings });
  try {
    await use({ fake, connector });
  } finally {
    await connector.close?.();
  }
}
