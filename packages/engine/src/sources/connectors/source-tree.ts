import { inject, injectable, createToken } from '@trove/core/di';
import type { BrowseEntry, Entry } from '@trove/core';
import type { ObjectRecord } from '@trove/core/store';
import {
  ActiveObjectsToken,
  type ActiveObjects,
} from '../../generations/selection/active-objects.js';
import type { Location } from './source-finder.js';
import { levelOf } from './tree-level.js';
import { ignoreIncomplete } from './incomplete-listing.js';

const pageSize = 1000;
/** Small parts cost promises, and slow sources need prompt ones. */
const browsePart = { items: 500, ms: 100 };

/** The token of `SourceTree` in an engine's container. */
export const SourceTreeToken = createToken<SourceTree>('engine.source_tree');

/** The tree of a registered source. Reads the source, or the last sync's records if listing is costly. */
@injectable()
export class SourceTree {
  readonly #store: ActiveObjects;

  constructor(@inject(ActiveObjectsToken) store: ActiveObjects) {
    this.#store = store;
  }

  /** Yields one level in parts. Throws `not_found`. */
  async *browse(
    location: Location,
    signal: AbortSignal,
  ): AsyncGenerator<BrowseEntry[], void, undefined> {
    const { connector, path } = location;
    if (await this.#isLive(location, 'browse', signal)) {
      yield* connector.browseInParts(path, browsePart, signal);
      return;
    }
    const level = levelOf(this.#listStored(location, path, signal), path, (entry) => entry);
    for await (const entry of level) yield [entry];
  }

  /** Returns one entry, or null. */
  async stat(location: Location, signal: AbortSignal): Promise<Entry | null> {
    const { connector, path, record } = location;
    const isLive = await this.#isLive(location, 'stat', signal);
    // A listing is searched by path, so only `stat` uses the identity.
    const isPathEnough = isLive && !(await connector.capabilities(signal)).stat;
    const [object] = isPathEnough ? [] : await this.#store.findObjects(record.id, [path]);
    if (isLive) return connector.stat({ path, identity: object?.identity ?? null }, signal);
    return object === undefined ? null : entryOf(object);
  }

  /** Yields all entries at or below a path. */
  async *list(location: Location, signal: AbortSignal): AsyncGenerator<Entry, void, undefined> {
    const { connector, path } = location;
    if (await this.#isLive(location, 'list', signal))
      yield* ignoreIncomplete(connector.list({ signal }));
    else yield* this.#listStored(location, path, signal);
  }

  async #isLive(
    { connector }: Location,
    method: 'browse' | 'stat' | 'list',
    signal: AbortSignal,
  ): Promise<boolean> {
    const capabilities = await connector.capabilities(signal);
    if (!capabilities.costlyListing) return true;
    return method !== 'list' && capabilities[method];
  }

  async *#listStored(
    { record }: Location,
    path: string,
    signal: AbortSignal,
  ): AsyncGenerator<Entry, void, undefined> {
    if (path !== '') yield* (await this.#store.findObjects(record.id, [path])).map(entryOf);
    const prefix = path === '' ? '' : `${path}/`;
    let after: string | null = null;
    for (;;) {
      signal.throwIfAborted();
      const page: ObjectRecord[] = await this.#store.listObjects(record.id, {
        prefix,
        after,
        limit: pageSize,
      });
      yield* page.map(entryOf);
      const last = page.at(-1);
      if (last === undefined || page.length < pageSize) return;
      after = last.path;
    }
  }
}

function entryOf(object: ObjectRecord): Entry {
  const { path, kind, mediaType, size, modifiedAt, contentHash, title, indexable, reason } = object;
  return {
    path,
    kind,
    mediaType,
    size,
    modifiedAt,
    fingerprint: contentHash,
    ...(title === null ? {} : { title }),
    ...(indexable || reason === null ? {} : { skip: reason }),
  };
}
