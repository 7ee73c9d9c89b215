import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isTroveError } from '@trove/core';
import { assertPathAllowed } from '@trove/core/local';
import { PathReader } from '@trove/runtime';
import type { EngineSettings } from '../../settings.js';

/** A changed link of the configured paths is noticed after this time. */
const maxAgeMs = 1000;

/** Decides which local paths sources may use. */
export class LocalPathPolicy {
  readonly #allowedRoots: () => Promise<string[]>;
  readonly #deniedRoots: () => Promise<string[]>;
  readonly #deniedFiles: () => Promise<string[]>;

  constructor({
    allowedRoots,
    deniedRoots,
    deniedFiles,
  }: Pick<EngineSettings, 'allowedRoots' | 'deniedRoots' | 'deniedFiles'>) {
    this.#allowedRoots = cacheRealPaths(allowedRoots);
    this.#deniedRoots = cacheRealPaths(deniedRoots);
    this.#deniedFiles = cacheRealPaths(deniedFiles);
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
    return this.#allowedRoots();
  }

  /** Returns the real paths of files with secrets of the application. */
  deniedFiles(): Promise<string[]> {
    return this.#deniedFiles();
  }

  /** Returns the real paths that no connector may read. */
  deniedRoots(): Promise<string[]> {
    return this.#deniedRoots();
  }
}

/** Caches the real paths briefly, because a search may open very many sources. Failures are not cached. */
function cacheRealPaths(paths: readonly string[]): () => Promise<string[]> {
  let cached: { readonly until: number; readonly real: Promise<string[]> } | null = null;
  return () => {
    if (cached !== null && performance.now() < cached.until) return cached.real;
    const real = Promise.all(paths.map(realPathOf));
    const current = { until: performance.now() + maxAgeMs, real };
    cached = current;
    real.catch(() => {
      if (cached === current) cached = null;
    });
    return real;
  };
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
