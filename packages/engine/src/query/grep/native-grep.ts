import { inject, injectable, token } from '@trove/core/di';
import { isTroveError, type GrepCapabilities, type GrepItem, type GrepRequest } from '@trove/core';
import type { ConnectorRecord, ObjectRecord } from '@trove/core/store';
import type { ConversionService } from '@trove/runtime';
import { ConversionsToken } from '../../tokens.js';
import { LinearGrepperToken, type LinearGrepper } from './linear-grep.js';
import type { GuardedConnector } from '../../sources/connectors/guarded-connector.js';
import { consistsOfRecords } from '../../content/contents.js';
import { compressedTypes, nameWithin } from '../../content/compressed.js';
import { isLikelyConverted } from '../../content/converted.js';
import { nameOf } from '../../sources/objects/stated-type.js';
import { pageOf } from '../browse/page-of.js';

/** Matches to ask for where some of those asked for before did not count. */
const atLeast = 1000;
/** A source that does not go on where it ended would be asked for ever. */
const mostRounds = 100;

export interface FoundItem {
  readonly item: GrepItem;
  readonly via: 'pushdown' | 'bm25' | 'linear';
}

/** Whether the search of a source can be asked for all of this. */
export function understands(
  grep: GrepCapabilities | null,
  { regex, ignoreCase, context, onlyMatching }: GrepRequest,
): boolean {
  if (grep === null) return false;
  return (
    (!regex || grep.regex === true) &&
    (!ignoreCase || grep.ignoreCase === true) &&
    (context === 0 || grep.context === true) &&
    (!onlyMatching || grep.onlyMatching === true)
  );
}

/** The token of `NativeGrepper` in an engine's container. */
export const NativeGrepperToken = token<NativeGrepper>('engine.native_grepper');

/**
 * Searches a source with its own search, but for its documents, compressed texts, and texts whose encoding a rule names:
 * of these the source sees the bytes, and everyone else the text.
 */
@injectable()
export class NativeGrepper {
  readonly #linear: LinearGrepper;
  readonly #conversions: ConversionService;

  constructor(
    @inject(LinearGrepperToken) linear: LinearGrepper,
    @inject(ConversionsToken) conversions: ConversionService,
  ) {
    this.#linear = linear;
    this.#conversions = conversions;
  }

  async *grep(
    record: ConnectorRecord,
    connector: GuardedConnector,
    request: GrepRequest,
  ): AsyncGenerator<FoundItem, void, undefined> {
    const { after } = request;
    // Documents come last.
    const isPast = after !== null && this.#isDocument(connector, after);
    let left = request.limit;
    if (!isPast) {
      for await (const item of this.#inBytes(connector, request)) {
        yield { item, via: 'pushdown' };
        if (!('notice' in item)) left--;
      }
    }
    if (left <= 0) return;
    const rest = { ...request, limit: left, after: isPast ? after : null };
    yield* this.#inDocuments(record, connector, rest);
  }

  /** What the source finds, except in documents, whose bytes say nothing. */
  async *#inBytes(
    connector: GuardedConnector,
    request: GrepRequest,
  ): AsyncGenerator<GrepItem, void, undefined> {
    const { grep } = await connector.capabilities(request.signal);
    const ask = (asked: GrepRequest): AsyncIterable<GrepItem> =>
      grep?.paging === true ? connector.grep(asked) : pageOf(connector, asked);
    const except = [...this.#conversions.mediaTypes, ...compressedTypes];
    let { after, limit } = request;
    let left = limit;
    for (let round = 0; left > 0 && round < mostRounds; round++) {
      let found = 0;
      for await (const item of ask({ ...request, except, limit, after })) {
        if ('notice' in item) {
          if (round === 0) yield item;
          continue;
        }
        found++;
        after = {
          path: item.path,
          matches: after?.path === item.path ? after.matches + 1 : 1,
        };
        if ('lines' in item && this.#isDocument(connector, item)) continue;
        yield item;
        if (--left === 0) return;
      }
      if (found < limit) return;
      limit = Math.max(left, atLeast);
    }
  }

  async *#inDocuments(
    record: ConnectorRecord,
    connector: GuardedConnector,
    request: GrepRequest,
  ): AsyncGenerator<FoundItem, void, undefined> {
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
    { rootUri, rules }: GuardedConnector,
    object: { readonly path: string; readonly mediaType?: string | null },
  ): boolean {
    if (rules.haveEncodings && rules.of(object.path)?.encoding !== undefined) return true;
    if (nameWithin(nameOf(rootUri, object.path)) !== null) return true;
    return isLikelyConverted(this.#conversions, rootUri, object);
  }
}
