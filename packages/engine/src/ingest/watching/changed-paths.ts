/** With more paths, a full listing costs less. */
const maxPaths = 1000;

/** Paths that may have changed. */
export class ChangedPaths {
  #paths = new Set<string>();

  /** `path`: '' for all paths. */
  add(path: string): void {
    if (this.#paths.has('')) return;
    if (path === '' || this.#paths.size >= maxPaths) this.#paths = new Set(['']);
    else this.#paths.add(path);
  }

  /** Returns and clears the added paths, without those below others. Null: any path may have changed. */
  take(): readonly string[] | null {
    const paths = this.#paths;
    this.#paths = new Set();
    return paths.has('') ? null : [...paths].filter((path) => !isBelowAny(path, paths));
  }
}

function isBelowAny(path: string, paths: ReadonlySet<string>): boolean {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
    if (paths.has(path.slice(0, end))) return true;
  return false;
}
