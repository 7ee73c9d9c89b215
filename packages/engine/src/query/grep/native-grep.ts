import { inject, injectable, createToken } from '@trove/core/di';
import { isTroveError, type GrepCapabilities, type GrepItem, type GrepRequest } from '@trove/core';
import type { ConnectorRecord, ObjectRecord, ObjectTypeFilter } from '@trove/core/store';
import type { ConversionService } from '@trove/runtime';
import { ConversionsToken } from '../../tokens.js';
import { LinearGrepperToken, type LinearGrepper } from './linear-grep.js';
import {
  ActiveObjectsToken,
  type ActiveObjects,
} from '../../generations/selection/active-objects.js';
import type { GuardedConnector } from '../../sources/connectors/guarded-connector.js';
import { identityOption } from '../../sources/connectors/source-object.js';
import { consistsOfRecords } from '../../content/contents.js';
import {
  compressedEndings,
  compressedMediaTypes,
  decompressedName,
} from '../../content/compressed-content.js';
import { isLikelyConverted } from '../../content/converted-content.js';
import { nameOf } from '../../sources/objects/stated-type.js';
import { DelayedCall } from './delayed-call.js';
import { grepPage } from './grep-page.js';

/** Matches to request in a further round, after some matches were discarded. */
const minRoundMatches = 1000;
/** A search that ends within this time is likely to need no documents. */
const lookupDelayMs = 50;
/** Ends the rounds of a source that ignores the position to continue from. */
const maxRounds = 100;

export interface AttributedGrepItem {
  readonly item: GrepItem;
  readonly via: 'pushdown' | 'bm25' | 'linear';
}

/** Whether the search of a source supports all options of the request. */
export function supportsRequest(
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
export const NativeGrepperToken = createToken<NativeGrepper>('engine.native_grepper');

/**
 * Searches a source with its own search, except for documents, compressed texts and texts with a configured encoding.
 * The source sees only their bytes, so their text is searched here.
 */
@injectable()
export class NativeGrepper {
  readonly #linear: LinearGrepper;
  readonly #conversions: ConversionService;
  readonly #store: ActiveObjects;
  readonly #types: ObjectTypeFilter;
  readonly #excludedMediaTypes: readonly string[];

  constructor(
    @inject(LinearGrepperToken) linear: LinearGrepper,
    @inject(ConversionsToken) conversions: ConversionService,
    @inject(ActiveObjectsToken) store: ActiveObjects,
  ) {
    this.#linear = linear;
    this.#conversions = conversions;
    this.#store = store;
    const { mediaTypes } = conversions;
    this.#types = { mediaTypes, endings: compressedEndings };
    this.#excludedMediaTypes = [...mediaTypes, ...compressedMediaTypes];
  }

  async *grep(
    record: ConnectorRecord,
    connector: GuardedConnector,
    request: GrepRequest,
  ): AsyncGenerator<AttributedGrepItem, void, undefined> {
    const { after } = request;
    // Documents are searched last.
    const isInDocuments = after !== null && this.#isDocument(connector, after);
    let remaining = request.limit;
    const hasDocuments = new DelayedCall(lookupDelayMs, () =>
      this.#mayHaveDocuments(record, connector, request.path),
    );
    try {
      if (!isInDocuments) {
        const identified = await this.#withIdentity(record, request);
        for await (const item of this.#inBytes(connector, identified)) {
          yield { item, via: 'pushdown' };
          if (!('notice' in item)) remaining--;
        }
      }
      if (remaining <= 0 || !(await hasDocuments.result())) return;
    } finally {
      hasDocuments.cancel();
    }
    const rest = { ...request, limit: remaining, after: isInDocuments ? after : null };
    yield* this.#inDocuments(record, connector, rest);
  }

  /** Looks for an object whose type or name may be that of a document, at a path or below it. */
  async #mayHaveDocuments(
    { id }: ConnectorRecord,
    connector: GuardedConnector,
    path: string,
  ): Promise<boolean> {
    const types = this.#documentTypes(connector);
    if (types === null) return true;
    if (path === '') return this.#store.hasTypes(id, types);
    const found = await this.#store.listObjects(id, { prefix: path, after: null, limit: 1, types });
    return found.length > 0;
  }

  /** The types of all documents. Null if a configured encoding can make any object a document. */
  #documentTypes({ rules }: GuardedConnector): ObjectTypeFilter | null {
    return rules.hasEncodings ? null : this.#types;
  }

  /** Adds the identity of the object at the searched path, if it is known. */
  async #withIdentity({ id }: ConnectorRecord, request: GrepRequest): Promise<GrepRequest> {
    const { path } = request;
    const [object] = path === '' ? [] : await this.#store.findObjects(id, [path]);
    return object === undefined ? request : { ...request, ...identityOption(object) };
  }

  /** Yields the matches of the source, except in documents, whose bytes are not text. */
  async *#inBytes(
    connector: GuardedConnector,
    request: GrepRequest,
  ): AsyncGenerator<GrepItem, void, undefined> {
    const { grep } = await connector.capabilities(request.signal);
    const search = (nextRequest: GrepRequest): AsyncIterable<GrepItem> =>
      grep?.paging === true ? connector.grep(nextRequest) : grepPage(connector, nextRequest);
    const excludedMediaTypes = this.#excludedMediaTypes;
    let { after, limit } = request;
    let remaining = limit;
    for (let round = 0; remaining > 0 && round < maxRounds; round++) {
      let found = 0;
      for await (const item of search({ ...request, excludedMediaTypes, limit, after })) {
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
        if (--remaining === 0) return;
      }
      if (found < limit) return;
      limit = Math.max(remaining, minRoundMatches);
    }
  }

  async *#inDocuments(
    record: ConnectorRecord,
    connector: GuardedConnector,
    request: GrepRequest,
  ): AsyncGenerator<AttributedGrepItem, void, undefined> {
    const capabilities = await connector.capabilities(request.signal);
    const isWanted = (object: ObjectRecord): boolean =>
      !consistsOfRecords(capabilities, object.kind) && this.#isDocument(connector, object);
    try {
      const types = this.#documentTypes(connector);
      yield* this.#linear.grep(record, connector, request, { isWanted, types });
    } catch (error) {
      // The source's own search also covers objects that are not synced yet.
      if (!isTroveError(error) || error.code !== 'not_found') throw error;
    }
  }

  #isDocument(
    { rootUri, rules }: GuardedConnector,
    object: { readonly path: string; readonly mediaType?: string | null },
  ): boolean {
    if (rules.hasEncodings && rules.of(object.path)?.encoding !== undefined) return true;
    if (decompressedName(nameOf(rootUri, object.path)) !== null) return true;
    return isLikelyConverted(this.#conversions, rootUri, object);
  }
}
