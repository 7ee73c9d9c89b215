import { inject, injectable, createToken } from '@trove/core/di';
import { setImmediate as immediate } from 'node:timers/promises';
import { joinUri, TroveError, type BrowseEntry } from '@trove/core';
import type { ObjectRecord } from '@trove/core/store';
import { Gate } from '@trove/runtime';
import {
  ActiveObjectsToken,
  type ActiveObjects,
} from '../../generations/selection/active-objects.js';
import {
  SourceFinderToken,
  type Location,
  type SourceFinder,
  type SourcePart,
} from '../../sources/connectors/source-finder.js';
import { namesAbove, notRegisteredError, partsBelow } from '../../sources/connectors/owner.js';
import { SourceTreeToken, type SourceTree } from '../../sources/connectors/source-tree.js';
import type { LsResponse, PathQuery } from '../../api/schemas.js';
import { canHaveText, likelyKind, likelyMediaType } from '../../sources/objects/stated-type.js';
import { withoutRules } from './without-rules.js';

/** The reason for files that are newer than the last sync. */
export const notSyncedReason = 'not synced yet';

type LsEntry = LsResponse['entries'][number];

/** Entries that are looked up without a pause. Thousands would delay other requests. */
const entriesPerBatch = 500;
/** Folders with this many entries are limited to a few in memory. */
const minLargeFolderEntries = 1000;
const maxLargeFolders = 2;
const maxEntries = 1_000_000;

/** The token of `BrowseService` in an engine's container. */
export const BrowseToken = createToken<BrowseService>('engine.browse');

/** Lists one level of a source with its index status, or of the folders above sources. */
@injectable()
export class BrowseService {
  readonly #sources: SourceFinder;
  readonly #tree: SourceTree;
  readonly #store: ActiveObjects;
  readonly #large = new Gate(maxLargeFolders);

  constructor(
    @inject(SourceFinderToken) sources: SourceFinder,
    @inject(SourceTreeToken) tree: SourceTree,
    @inject(ActiveObjectsToken) store: ActiveObjects,
  ) {
    this.#sources = sources;
    this.#tree = tree;
    this.#store = store;
  }

  async ls({ path }: PathQuery, signal: AbortSignal): Promise<LsResponse> {
    const uri = await this.#sources.findUri(path);
    const location = await this.#sources.locateUri(uri);
    if (location === null)
      return folderAbove(partsBelow(await this.#sources.listParts(), uri), uri);
    const capabilities = await location.connector.capabilities(signal);
    const parts = this.#tree.browse(location, signal);
    const entries: BrowseEntry[] = [];
    const describeRest = async (): Promise<LsEntry[]> => {
      await takeUntil(parts, entries, maxEntries + 1);
      if (entries.length > maxEntries) throw tooMany(location.uri);
      return this.#describeAll(location, entries, signal);
    };
    try {
      await takeUntil(parts, entries, minLargeFolderEntries);
      const isLarge = entries.length >= minLargeFolderEntries;
      const { incremental, since, read, records, tail, grep } = capabilities;
      return {
        entries: isLarge ? await this.#large.run(signal, describeRest) : await describeRest(),
        capabilities: {
          sync: { incremental, since },
          object: { read, records, tail, grep: grep !== null },
        },
      };
    } finally {
      await parts.return();
    }
  }

  async #describeAll(
    location: Location,
    entries: BrowseEntry[],
    signal: AbortSignal,
  ): Promise<LsEntry[]> {
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    const isFile = await this.#isFile(location, entries, signal);
    const described: LsEntry[] = [];
    for (let from = 0; from < entries.length; from += entriesPerBatch) {
      if (from > 0) await immediate();
      signal.throwIfAborted();
      const part = entries.slice(from, from + entriesPerBatch);
      described.push(...(await this.#describe(location, part, isFile)));
    }
    return described;
  }

  /**
   * Whether the path is a file. Browsing a file yields only that file, but a folder may also contain an entry of its
   * own name.
   */
  async #isFile(
    location: Location,
    entries: readonly BrowseEntry[],
    signal: AbortSignal,
  ): Promise<boolean> {
    const [entry, ...others] = entries;
    if (entry === undefined || others.length > 0 || entry.type !== 'file') return false;
    const { path } = location;
    if (path.slice(path.lastIndexOf('/') + 1) !== entry.name) return false;
    return (await this.#tree.stat(location, signal)) !== null;
  }

  async #describe(
    location: Location,
    entries: readonly BrowseEntry[],
    isFile: boolean,
  ): Promise<LsEntry[]> {
    const located = entries.map((entry) => ({
      entry,
      path: isFile ? location.path : childPath(location.path, entry),
    }));
    const files = located.filter(({ entry }) => entry.type === 'file').map(({ path }) => path);
    const known = await this.#store.findObjects(location.record.id, files);
    const byPath = new Map(
      (await this.#withDescriptions(location, known)).map((object) => [object.path, object]),
    );
    const { rootUri } = location.record;
    const isWhole = this.#sources.sees(rootUri);
    return located.map(({ entry, path }) =>
      toLsEntry(joinUri(rootUri, path), isWhole ? entry : withoutRules(entry), byPath.get(path)),
    );
  }

  /** Images without text are searchable by their description. */
  async #withDescriptions(
    { record }: Location,
    objects: readonly ObjectRecord[],
  ): Promise<readonly ObjectRecord[]> {
    const images = objects.filter(
      ({ kind, searchStatus }) => kind === 'image' && searchStatus === 'not_indexed',
    );
    if (images.length === 0) return objects;
    const paths = images.map(({ path }) => path);
    const described = new Set(
      (await this.#store.findSummaries(record.id, paths)).map(({ id }) => id),
    );
    return objects.map((object) =>
      described.has(object.id) ? { ...object, searchStatus: 'indexed', reason: null } : object,
    );
  }
}

/** Lists a folder above sources without reading it. Throws `not_found` if no source is below it. */
function folderAbove(parts: readonly SourcePart[], uri: string): LsResponse {
  if (parts.length === 0) throw notRegisteredError(uri);
  return {
    entries: namesAbove(parts, uri).map(({ name, uri: path }) => ({
      name,
      type: 'dir',
      media_type: null,
      size_hint: null,
      path,
      search_status: null,
      indexable: true,
      reason: null,
      real_id: null,
    })),
    capabilities: {
      sync: { incremental: false, since: false },
      object: { read: false, records: false, tail: false, grep: false },
    },
  };
}

/** Adds whole parts to `items` until there are `count` items or the parts end. */
async function takeUntil<T>(parts: AsyncIterator<T[]>, items: T[], count: number): Promise<void> {
  while (items.length < count) {
    const step = await parts.next();
    if (step.done === true) return;
    items.push(...step.value);
  }
}

function tooMany(uri: string): TroveError {
  return new TroveError('not_supported', `${uri} has more than ${maxEntries} entries`, {
    suggestions: ['Use search or grep to find its contents.'],
  });
}

function childPath(folder: string, { name }: BrowseEntry): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** Binary files can be listed and read, but have no text. */
function isIndexable(entry: BrowseEntry, object: ObjectRecord | undefined): boolean {
  if (object !== undefined) return object.indexable && canHaveText(object);
  if (entry.skip !== undefined) return false;
  const { type, name, mediaType = null } = entry;
  return type === 'dir' || likelyKind({ mediaType }, name) !== 'binary';
}

function toLsEntry(uri: string, entry: BrowseEntry, object: ObjectRecord | undefined): LsEntry {
  const isFile = entry.type === 'file';
  return {
    name: entry.name,
    type: entry.type,
    media_type: isFile ? (object?.mediaType ?? likelyMediaType(entry, entry.name)) : null,
    size_hint: entry.size,
    path: uri,
    search_status: isFile ? (object?.searchStatus ?? 'not_indexed') : null,
    indexable: isIndexable(entry, object),
    reason:
      object?.reason ?? entry.skip ?? (isFile && object === undefined ? notSyncedReason : null),
    real_id: entry.realId ?? null,
  };
}
