import { realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { isTroveError, TroveError } from '@trove/core';
import { PathReader } from '@trove/runtime';

/** Which places of this machine sources may be in. */
export class LocalPlaces {
  readonly #allowedRoots: readonly string[];
  readonly #withheld: readonly string[];

  /** `allowedRoots`: none means anywhere. `withheld`: where the application keeps its own files. */
  constructor(allowedRoots: readonly string[], withheld: readonly string[]) {
    this.#allowedRoots = allowedRoots;
    this.#withheld = withheld;
  }

  /** Throws `path_not_allowed`. */
  async assertAllowed(path: string): Promise<void> {
    if (this.#allowedRoots.length === 0) return;
    const real = await realPathOf(path);
    const roots = await this.allowedRoots();
    if (roots.some((root) => isWithin(root, real))) return;
    throw new TroveError('path_not_allowed', `${path} lies outside the folders that may be added`);
  }

  /** Throws `path_not_allowed`. */
  async assertNotWithheld(path: string): Promise<void> {
    const real = await realPathOf(path);
    const withheld = await this.withheld();
    if (!withheld.some((folder) => isWithin(folder, real))) return;
    throw new TroveError(
      'path_not_allowed',
      `Trove keeps its own files at ${path}: they are never part of a source`,
    );
  }

  /** Real paths that local sources must lie in; none means anywhere. */
  allowedRoots(): Promise<string[]> {
    return Promise.all(this.#allowedRoots.map(realPathOf));
  }

  /** Real paths that no connector may look into. */
  withheld(): Promise<string[]> {
    return Promise.all(this.#withheld.map(realPathOf));
  }
}

const lookUpMs = 5000;
const realPaths = new PathReader(lookUpMs, realpath);

/** An absolute path with its links resolved as far as it exists. Throws `timed_out`. */
export async function realPathOf(path: string): Promise<string> {
  try {
    return await realPaths.read(path);
  } catch (error) {
    if (isTroveError(error)) throw error;
    const folder = dirname(path);
    return folder === path ? path : join(await realPathOf(folder), basename(path));
  }
}

/** Whether a real path is the folder or inside it. */
function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
