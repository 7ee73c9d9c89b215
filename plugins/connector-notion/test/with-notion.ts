import type { Connector, Entry } from '@trove/core';
import { collect } from '@trove/test-support/collect.js';
import { startFakeNotion, type FakeNotion } from './fake.js';
import { neverAborted, openNotion, setAge } from './source.js';

interface Open {
  readonly fake: FakeNotion;
  readonly connector: Connector;
}

/** Opens the connector on a workspace that has not changed for a day. */
export async function withNotion(
  use: (open: Open) => Promise<void>,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await using fake = await startFakeNotion();
  setAge(fake, 24 * 60);
  const connector = await openNotion(fake, settings);
  try {
    await use({ fake, connector });
  } finally {
    await connector.close?.();
  }
}

export async function entriesOf(connector: Connector): Promise<readonly Entry[]> {
  return collect(connector.list({ signal: neverAborted() }));
}
