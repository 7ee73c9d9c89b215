import { openRoot } from '../source/root.js';
import { Walk, type Found } from '../walk/walk.js';

/** The files of a folder that the connector would index, and those that it would not, with the reason. */
export interface LocalFiles extends Iterable<Found> {
  /** Folders that could not be read, with the reason; complete when the iteration is. */
  readonly unread: readonly string[];
  /** The folder is a single file. */
  readonly isFile: boolean;
}

/**
 * Walks a folder with blocking calls; `withheld` are absolute real paths that are never part of it. Throws
 * `connector_unhealthy` and `path_not_allowed`.
 */
export function localFiles(folder: string, withheld: readonly string[]): LocalFiles {
  const root = openRoot({ root: folder, name: folder, isStored: false, withheld });
  const walk = new Walk(root, { ignore: [] });
  return {
    unread: walk.unread,
    isFile: root.isFile,
    [Symbol.iterator]: () => walk[Symbol.iterator](),
  };
}
