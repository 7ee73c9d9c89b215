import type { Connector, SourceRecord } from '@trove/core';
import { collect } from '@trove/test-support/collect.js';

import { startFakeLinear, type FakeLinear } from './fake.js';
import { openLinear, setAge } from './source.js';

const dayMinutes = 24 * 60;

/** Opens the connector on a workspace that has not changed for a day. */
export async function withLinear(
  use: (open: { readonly fake: FakeLinear; readonly connector: Connector }) => Promise<void>,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await using fake = await startFakeLinear();
  setAge(fake, dayMinutes);
  const connector = await openLinear(fake, settings);
  try {
    await use({ fake, connector });
  } finally {
    await connector.close?.();
  }
}

export function neverAborted(): AbortSignal {
  return new AbortController().signal;
}

/** Returns the messages of one thread. */
export async function threadAt(
  connector: Connector,
  path: string,
  thread: string,
): Promise<readonly SourceRecord[]> {
  return collect(connector.records?.(path, { thread, signal: neverAborted() }));
}

export async function healthOf(connector: Connector): Promise<string> {
  const found = await connector.check?.({ signal: neverAborted() });
  return `${found?.ok} ${found?.detail}`;
}
