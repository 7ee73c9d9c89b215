import { TroveError } from '@trove/core';
import type { Access } from '../../api/access.js';
import { includesRights } from '../../api/rights.js';
import type { Connectors } from '../connectors/connectors.js';

/** A sync that a caller requests. */
export interface RequestedSync {
  readonly rootUri: string;
  /** Whether the request has a configuration. */
  readonly setsConfig: boolean;
}

/** Decides whether a caller may start a sync. Throws `forbidden`. */
export type AssertMaySync = (sync: RequestedSync) => Promise<void>;

/**
 * Returns the check for a caller. Without the right `admin`, only a registered source can be synced, with its own
 * configuration. The error is the same whether or not a source exists.
 */
export function syncPermission(
  access: Access,
  connectors: Pick<Connectors, 'findOwner'>,
): AssertMaySync {
  if (includesRights(access.rights, 'admin')) return async () => undefined;
  return async ({ rootUri, setsConfig }) => {
    const owner = setsConfig ? null : await connectors.findOwner(rootUri);
    if (owner?.rootUri === rootUri) return;
    throw new TroveError(
      'forbidden',
      'The token may sync only registered sources that it sees as a whole, with their own configuration',
      { suggestions: ['A token with the right `admin` registers sources and configures them.'] },
    );
  };
}
