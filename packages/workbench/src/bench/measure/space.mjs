import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the bytes of an index by purpose: `{ rows, text, vectors, other }`. */
export function spaceOf(database) {
  const space = { rows: 0, text: 0, vectors: 0, other: 0 };
  for (const entry of readdirSync(database, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    // Files of former versions may disappear during the walk.
    space[purposeOf(entry)] += statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  }
  return space;
}

export function totalOf(space) {
  return Object.values(space).reduce((sum, bytes) => sum + bytes, 0);
}

/** Each index has a folder of files. */
function purposeOf({ parentPath, name }) {
  if (/[\\/]data$/.test(parentPath)) return 'rows';
  if (!/[\\/]_indices[\\/]/.test(parentPath)) return 'other';
  if (existsSync(join(parentPath, 'auxiliary.idx'))) return 'vectors';
  return /^(part_|metadata)/.test(name) ? 'text' : 'other';
}
