/** The paths that a listing has seen. It remembers a limited number. Beyond that, any path may have been seen. */
export class SeenPaths {
  readonly #maxPaths: number;
  readonly #paths = new Set<string>();

  constructor(maxPaths: number) {
    this.#maxPaths = maxPaths;
  }

  /** Whether more paths were added than it can remember. */
  get isOverflowing(): boolean {
    return this.#paths.size > this.#maxPaths;
  }

  add(paths: Iterable<string>): void {
    for (const path of paths) {
      if (this.isOverflowing) return;
      this.#paths.add(path);
    }
  }

  mayContain(path: string): boolean {
    return this.isOverflowing || this.#paths.has(path);
  }
}
