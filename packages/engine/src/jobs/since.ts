import { TroveError } from '@trove/core';
import type { ConnectorAbilities } from '../connectors/guarded-connector.js';

/** Throws `since_unsupported` when the connector does not support `since`. */
export function assertSince(since: string, abilities: ConnectorAbilities, rootUri: string): void {
  if (!abilities.since) {
    throw new TroveError(
      'since_unsupported',
      `${rootUri} cannot be synced from ${since.slice(0, 40)}: its connector has no time cursor`,
    );
  }
}
