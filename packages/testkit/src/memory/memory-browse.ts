import type { BrowseEntry } from '@trove/core';

import type { MemorySource } from './memory-source.js';

/**
 * Returns the direct children of a path with implicit folders, the object itself for an object, or null if nothing
 * exists.
 */
export function browseLevel(source: MemorySource, path: string): BrowseEntry[] | null {
  const own = fileEntry(source, path);
  if (own !== null) return [own];
  const below = path === '' ? '' : `${path}/`;
  const entries = new Map<string, BrowseEntry>();
  for (const other of source.objects.keys()) {
    if (!other.startsWith(below)) continue;
    const [name = '', ...deeper] = other.slice(below.length).split('/');
    const entry = deeper.length > 0 ? folderEntry(below, name) : fileEntry(source, other);
    if (entry !== null) entries.set(name, entry);
  }
  return entries.size === 0 && path !== '' ? null : [...entries.values()];
}

function fileEntry(source: MemorySource, path: string): BrowseEntry | null {
  const entry = source.entry(path);
  if (entry === null) return null;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const { size, modifiedAt, mediaType = null } = entry;
  return { name, type: 'file', mediaType, size, modifiedAt };
}

function folderEntry(parent: string, name: string): BrowseEntry {
  return { name, type: 'dir', size: null, modifiedAt: null, realId: parent + name };
}
