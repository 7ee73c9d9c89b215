import type { SourceRecord } from '@trove/core';
import { collect } from '@trove/test-support/collect.js';

import { startFakeDiscord, type FakeDiscord } from './fake.js';
import { neverAborted, openDiscord, setAge, type OpenedDiscord } from './source.js';

const dayMinutes = 24 * 60;

/** Opens the connector on a server that has not changed for a day. */
export async function withDiscord(
  use: (open: { readonly fake: FakeDiscord; readonly connector: OpenedDiscord }) => Promise<void>,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await using fake = await startFakeDiscord();
  setAge(fake, dayMinutes);
  const connector = await openDiscord(fake, settings);
  try {
    await use({ fake, connector });
  } finally {
    await connector.close();
  }
}

export async function recordsAt(
  connector: OpenedDiscord,
  path: string,
  options: Partial<Parameters<OpenedDiscord['records']>[1]> = {},
): Promise<readonly SourceRecord[]> {
  return collect(connector.records(path, { signal: neverAborted(), ...options }));
}

export async function healthOf(connector: OpenedDiscord): Promise<string> {
  const { ok, detail } = await connector.check({ signal: neverAborted() });
  return `${ok} ${detail}`;
}
