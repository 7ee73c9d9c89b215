import { TroveError } from '@trove/core';
import type { Access } from '../../api/access.js';
import { includesRights } from '../../api/rights.js';
import type { Connectors } from '../connectors/connectors.js';
import type { VisiblePaths } from '../visibility/visible-paths.js';

/** A sync that a caller requests. */
interface RequestedSync {
  readonly rootUri: string;
  /** Whether the request has a configuration. */
  readonly setsConfig: boolean;
}

/** Decides which sources a caller may sync. */
export class SyncPermission {
  readonly #access: Access;
  readonly #visible: VisiblePaths | null;
  readonly #connectors: Pick<Connectors, 'findOwner'>;

  constructor(
    access: Access,
    visible: VisiblePaths | null,
    connectors: Pick<Connectors, 'findOwner'>,
  ) {
    this.#access = access;
    this.#visible = visible;
    this.#connectors = connectors;
  }

  /**
   * Throws `forbidden` unless the caller may sync a source. Without the right `admin`, it must be registered, visible as a
   * whole, and keep its configuration. The error is the same whether or not a source exists.
   */
  async assert({ rootUri, setsConfig }: RequestedSync): Promise<void> {
    if (includesRights(this.#access.rights, 'admin')) return;
    const mayExist = !setsConfig && this.sees(rootUri);
    const owner = mayExist ? await this.#connectors.findOwner(rootUri) : null;
    if (owner?.rootUri === rootUri) return;
    throw new TroveError(
      'forbidden',
      'The token may sync only registered sources that it sees as a whole, with their own configuration',
      { suggestions: ['A token with the right `admin` registers sources and configures them.'] },
    );
  }

  /** Whether the caller sees all of the source with this root. */
  readonly sees = (rootUri: string): boolean => this.#visible?.contains(rootUri) ?? true;
}
