import { TroveError, type BrowseEntry, type Entry } from '@trove/core';

/** Yields one level of the tree, derived from a listing. Throws `not_found` if the listing has nothing at the path. */
export async function* levelOf(
  entries: AsyncIterable<Entry>,
  path: string,
  check: (entry: Entry) => Entry,
): AsyncGenerator<BrowseEntry, void, undefined> {
  const prefix = path === '' ? '' : `${path}/`;
  const folders = new Set<string>();
  let found = path === '';
  for await (const given of entries) {
    const entry = check(given);
    if (entry.path === path) {
      found = true;
      yield fileOf(entry, entry.path.slice(entry.path.lastIndexOf('/') + 1));
    }
    if (entry.path === '' || !entry.path.startsWith(prefix)) continue;
    found = true;
    const rest = entry.path.slice(prefix.length);
    const slash = rest.indexOf('/');
    if (slash < 0) {
      yield fileOf(entry, rest);
    } else if (!folders.has(rest.slice(0, slash))) {
      folders.add(rest.slice(0, slash));
      yield { name: rest.slice(0, slash), type: 'dir', size: null, modifiedAt: null };
    }
  }
  if (!found) throw new TroveError('not_found', `There is nothing at ${path}`);
}

function fileOf(entry: Entry, name: string): BrowseEntry {
  const { size, modifiedAt, mediaType = null, skip } = entry;
  return {
    name,
    type: 'file',
    size,
    modifiedAt,
    mediaType,
    ...(skip === undefined ? {} : { skip }),
  };
}
