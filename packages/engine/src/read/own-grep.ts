import {
  isTroveError,
  type ConnectorRecord,
  type GrepItem,
  type GrepRequest,
  type ObjectRecord,
} from '@trove/core';
import type { ConversionService } from '@trove/runtime';
import type { GuardedConnector } from '../connectors/guarded-connector.js';
import { consistsOfRecords } from '../content/contents.js';
import { isLikelyConverted } from '../content/converted.js';
import type { LinearGrepper } from './linear-grep.js';

export interface FoundItem {
  readonly item: GrepItem;
  readonly via: 'pushdown' | 'bm25' | 'linear';
}

/**
 * Searches a source with its own search, but for its documents: of these the source sees the bytes, and everyone else
 * the Markdown.
 */
export class OwnGrepper {
  readonly #linear: LinearGrepper;
  readonly #conversions: ConversionService;

  constructor(linear: LinearGrepper, conversions: ConversionService) {
    this.#linear = linear;
    this.#conversions = conversions;
  }

  async *grep(
    record: ConnectorRecord,
    connector: GuardedConnector,
    request: GrepRequest,
  ): AsyncGenerator<FoundItem, void, undefined> {
    let found = 0;
    let ofDocuments = 0;
    for await (const item of connector.grep(request)) {
      if (!('notice' in item)) found++;
      if ('lines' in item && this.#isDocument(connector, item)) ofDocuments++;
      else yield { item, via: 'pushdown' };
    }
    if (found >= request.limit && ofDocuments > 0) yield { item: cutShort, via: 'pushdown' };
    const left = request.limit - found + ofDocuments;
    if (left > 0) yield* this.#inDocuments(record, connector, { ...request, limit: left });
  }

  async *#inDocuments(
    record: ConnectorRecord,
    connector: GuardedConnector,
    request: GrepRequest,
  ): AsyncGenerator<FoundItem, void, undefined> {
    if (this.#conversions.convertsNothing) return;
    const abilities = await connector.capabilities(request.signal);
    const isWanted = (object: ObjectRecord): boolean =>
      !consistsOfRecords(abilities, object.kind) && this.#isDocument(connector, object);
    try {
      const { items, via } = await this.#linear.grep(record, connector, request, isWanted);
      for await (const item of items) yield { item, via };
    } catch (error) {
      // The source's own search has also seen what no sync has met yet.
      if (!isTroveError(error) || error.code !== 'not_found') throw error;
    }
  }

  #isDocument(
    { rootUri }: GuardedConnector,
    object: { readonly path: string; readonly mediaType?: string | null },
  ): boolean {
    return isLikelyConverted(this.#conversions, rootUri, object);
  }
}

const cutShort: GrepItem = {
  notice:
    'Its own search ended at the limit, partly with matches in the bytes of documents, which do not count: a higher limit finds more.',
};
