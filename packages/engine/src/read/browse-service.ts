import { joinUri, type BrowseEntry, type MetadataStore, type ObjectRecord } from '@trove/core';
import type { LsResponse, PathQuery } from '../api/schemas.js';
import { likelyMediaType } from '../content/what-it-is.js';
import type { Location, Sources } from '../connectors/sources.js';

type LsEntry = LsResponse['entries'][number];

/** Lists one level of a source with its index status. */
export class BrowseService {
  readonly #sources: Sources;
  readonly #store: MetadataStore;

  constructor(sources: Sources, store: MetadataStore) {
    this.#sources = sources;
    this.#store = store;
  }

  async ls({ path }: PathQuery, signal: AbortSignal): Promise<LsResponse> {
    const location = await this.#sources.locate(path);
    const abilities = await location.connector.capabilities(signal);
    const entries: BrowseEntry[] = [];
    for await (const entry of location.connector.browse(location.path, signal)) entries.push(entry);
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    const { incremental, since, read, records, tail, grep } = abilities;
    return {
      entries: await this.#described(location, entries, signal),
      capabilities: { sync: { incremental, since }, object: { read, records, tail, grep } },
    };
  }

  async #described(
    location: Location,
    entries: readonly BrowseEntry[],
    signal: AbortSignal,
  ): Promise<LsEntry[]> {
    const placed = entries.map((entry) => ({ entry, path: pathOf(location.path, entry, entries) }));
    const files = placed.filter(({ entry }) => entry.type === 'file').map(({ path }) => path);
    const known = await this.#store.objectsByPath(location.record.id, files);
    const byPath = new Map(known.map((object) => [object.path, object]));
    return placed.map(({ entry, path }) =>
      lsEntry(joinUri(location.record.rootUri, path), entry, byPath.get(path)),
    );
  }
}

/** Browsing a file yields just that file, whose path is the one asked for. */
function pathOf(folder: string, entry: BrowseEntry, entries: readonly BrowseEntry[]): string {
  const isItself =
    entries.length === 1 &&
    entry.type === 'file' &&
    folder.slice(folder.lastIndexOf('/') + 1) === entry.name;
  if (isItself) return folder;
  return folder === '' ? entry.name : `${folder}/${entry.name}`;
}

function lsEntry(
  uri: string,
  entry: BrowseEntry,
  object: ObjectRecord | undefined,
): LsEntry {
  const isFile = entry.type === 'file';
  return {
    name: entry.name,
    type: entry.type,
    media_type: isFile ? (object?.mediaType ?? likelyMediaType(entry, entry.name)) : null,
    size_hint: entry.size,
    path: uri,
    search_status: isFile ? (object?.searchStatus ?? 'not_indexed') : null,
    indexable: object?.indexable ?? entry.skip === undefined,
    reason: object?.reason ?? entry.skip ?? null,
    real_id: entry.realId ?? null,
  };
}
