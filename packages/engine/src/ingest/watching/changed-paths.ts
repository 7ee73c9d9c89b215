/** With more of them, it costs less to look at everything. */
const maxPaths = 1000;

/** Paths at which something may have changed. */
export class ChangedPaths {
  #paths = new Set<string>();

  /** `path`: '' for anything. */
  add(path: string): void {
    if (this.#paths.has('')) return;
    if (path === '' || this.#paths.size >= maxPaths) this.#paths = new Set(['']);
    else this.#paths.add(path);
  }

  /** What was added since the last time, none below another; null: it may be anything. */
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
