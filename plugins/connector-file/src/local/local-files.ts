import { openRoot, type Root } from '../source/root.js';
import { descend } from '../walk/descent.js';
import { Walk, type WalkItem } from '../walk/walk.js';

/** The files of a folder that the connector would index, and those that it would not, with the reason. */
export interface LocalFiles extends Iterable<WalkItem> {
  /** Folders that could not be read, with the reason; complete when the iteration is. */
  readonly unreadable: readonly string[];
  /** The folder is a single file. */
  readonly isFile: boolean;
}

/**
 * Walks a folder with blocking calls; `deniedRoots` are absolute real paths that are never part of it. Throws
 * `connector_unhealthy` and `path_not_allowed`.
 */
export function localFiles(folder: string, deniedRoots: readonly string[]): LocalFiles {
  const root = rootOf(folder, deniedRoots);
  const walk = new Walk(root, { ignore: [] });
  return {
    unreadable: walk.unreadable,
    isFile: root.isFile,
    [Symbol.iterator]: () => walk[Symbol.iterator](),
  };
}

/** Why such a walk leaves out what is at a path in the folder; null if it does not. Throws as `localFiles` does. */
export function explainLeftOut(
  folder: string,
  path: string,
  deniedRoots: readonly string[],
): string | null {
  return descend(rootOf(folder, deniedRoots), [], path).leftOut;
}

function rootOf(folder: string, deniedRoots: readonly string[]): Root {
  return openRoot({ root: folder, name: folder, isUpload: false, deniedRoots, allowedRoots: [] });
}
