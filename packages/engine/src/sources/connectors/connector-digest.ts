import type { ConnectorRecord } from '@trove/core/store';
import { digest } from '../ids.js';
import { pluginConfigOf } from '../schedules/sync-settings.js';

/** Equal for connectors that can replace each other. A change of the schedule keeps the connector. */
export function digestOf({
  rootUri,
  config,
  tree,
}: Pick<ConnectorRecord, 'rootUri' | 'config' | 'tree'>): string {
  return digest([rootUri, pluginConfigOf(config), tree]);
}
