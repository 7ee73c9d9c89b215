import { openRoot, type Root } from '../source/root.js';
import { descend } from '../walk/descent.js';
import { Walk, type WalkItem } from '../walk/walk.js';

/** The files of a folder: those that the connector would index, and the others with the reason. */
export interface LocalFiles extends Iterable<WalkItem> {
  /** Unreadable folders with the reason. Complete after the iteration. */
  readonly unreadable: readonly string[];
  /** Whether the folder is a single file. */
  readonly isFile: boolean;
}

/**
 * Walks a folder with blocking calls. Leaves out `deniedRoots`, which are absolute real paths. Throws
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

/** Returns the reason why `localFiles` leaves out a path; null if it does not. Throws the same errors. */
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
