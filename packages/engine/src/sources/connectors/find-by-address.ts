import { joinUri } from '@trove/core';
import type { ConnectorRecord } from '@trove/core/store';
import type { PluginRegistry } from '@trove/runtime';
import type { GuardedConnector } from './guarded-connector.js';

export interface AddressSearch {
  readonly registry: PluginRegistry;
  readonly records: readonly ConnectorRecord[];
  readonly open: (record: ConnectorRecord) => Promise<GuardedConnector>;
  readonly isVisible: (uri: string) => boolean;
  readonly signal: AbortSignal;
}

/** Returns the URI of the object with a web address in a source, or null. Opens only sources that find addresses. */
export async function findByAddress(
  address: string,
  { registry, records, open, isVisible, signal }: AddressSearch,
): Promise<string | null> {
  for (const record of records) {
    const plugin = await registry.find('connector', record.type);
    if (plugin?.capabilities?.addresses !== true || record.status === 'removing') continue;
    const connector = await open(record).catch(() => null);
    const path = (await connector?.pathOf(address, signal).catch(() => null)) ?? null;
    signal.throwIfAborted();
    const uri = path === null ? null : joinUri(record.rootUri, path);
    if (uri !== null && isVisible(uri)) return uri;
  }
  return null;
}
