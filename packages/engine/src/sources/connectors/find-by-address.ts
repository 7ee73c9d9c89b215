import { joinUri } from '@trove/core';
import type { ConnectorRecord } from '@trove/core/store';
import type { PluginRegistry } from '@trove/runtime';
import type { VisiblePaths } from '../visibility/visible-paths.js';
import type { GuardedConnector } from './guarded-connector.js';

export type Visible = Pick<VisiblePaths, 'contains' | 'partsOf'>;

export interface AddressSearch {
  readonly registry: PluginRegistry;
  readonly records: readonly ConnectorRecord[];
  readonly open: (record: ConnectorRecord) => Promise<GuardedConnector>;
  /** Only what it contains exists for the caller. Null: everything. */
  readonly visible: Visible | null;
  readonly signal: AbortSignal;
}

/** Returns the URI of the object with a web address in a source, or null. Opens only sources that find addresses. */
export async function findByAddress(
  address: string,
  { registry, records, open, visible, signal }: AddressSearch,
): Promise<string | null> {
  for (const record of records) {
    if (visible?.partsOf(record.rootUri).length === 0) continue;
    const plugin = await registry.find('connector', record.type);
    if (plugin?.capabilities?.addresses !== true || record.status === 'removing') continue;
    const connector = await open(record).catch(() => null);
    const path = (await connector?.pathOf(address, signal).catch(() => null)) ?? null;
    signal.throwIfAborted();
    const uri = path === null ? null : joinUri(record.rootUri, path);
    if (uri !== null && visible?.contains(uri) !== false) return uri;
  }
  return null;
}
