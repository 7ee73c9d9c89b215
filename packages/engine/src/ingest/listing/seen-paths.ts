/** The paths that a listing has seen. It remembers a limited number. Beyond that, any path may have been seen. */
export class SeenPaths {
  readonly #maxPaths: number;
  readonly #paths = new Set<string>();

  /** Any path may have been seen. */
  static all(): SeenPaths {
    return new SeenPaths(-1);
  }

  constructor(maxPaths: number) {
    this.#maxPaths = maxPaths;
  }

  /** Whether more paths were added than it can remember. */
  get isOverflowing(): boolean {
    return this.#paths.size > this.#maxPaths;
  }

  /** At most `max` paths for storage. Null: more, or any path may have been seen. */
  list(max: number): string[] | null {
    return this.isOverflowing || this.#paths.size > max ? null : [...this.#paths];
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
