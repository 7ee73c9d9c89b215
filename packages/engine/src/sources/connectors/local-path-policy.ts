import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isTroveError } from '@trove/core';
import { assertPathAllowed } from '@trove/core/local';
import { PathReader } from '@trove/runtime';
import type { EngineSettings } from '../../settings.js';

/** Decides which local paths sources may use. */
export class LocalPathPolicy {
  readonly #allowedRoots: readonly string[];
  readonly #deniedRoots: readonly string[];
  readonly #deniedFiles: readonly string[];

  constructor({
    allowedRoots,
    deniedRoots,
    deniedFiles,
  }: Pick<EngineSettings, 'allowedRoots' | 'deniedRoots' | 'deniedFiles'>) {
    this.#allowedRoots = allowedRoots;
    this.#deniedRoots = deniedRoots;
    this.#deniedFiles = deniedFiles;
  }

  /** Throws `path_not_allowed`. */
  async assertAllowed(path: string): Promise<void> {
    const [real, deniedRoots, allowedRoots] = await Promise.all([
      realPathOf(path),
      this.deniedRoots(),
      this.allowedRoots(),
    ]);
    assertPathAllowed(real, { deniedRoots, allowedRoots }, path);
  }

  /** Throws `path_not_allowed`. */
  async assertNotDenied(path: string): Promise<void> {
    const [real, deniedRoots] = await Promise.all([realPathOf(path), this.deniedRoots()]);
    assertPathAllowed(real, { deniedRoots, allowedRoots: [] }, path);
  }

  /** Returns the real paths that local sources must lie in. Empty: any path. */
  allowedRoots(): Promise<string[]> {
    return Promise.all(this.#allowedRoots.map(realPathOf));
  }

  /** Returns the real paths of files with secrets of the application. */
  deniedFiles(): Promise<string[]> {
    return Promise.all(this.#deniedFiles.map(realPathOf));
  }

  /** Returns the real paths that no connector may read. */
  deniedRoots(): Promise<string[]> {
    return Promise.all(this.#deniedRoots.map(realPathOf));
  }
}

const lookupTimeoutMs = 5000;
const realPaths = new PathReader<string>(lookupTimeoutMs, realpath);

/** Resolves the links of an absolute path, as far as it exists. Throws `timed_out`. */
export async function realPathOf(path: string): Promise<string> {
  try {
    return await realPaths.read(path);
  } catch (error) {
    if (isTroveError(error)) throw error;
    const folder = dirname(path);
    return folder === path ? path : join(await realPathOf(folder), basename(path));
  }
}
