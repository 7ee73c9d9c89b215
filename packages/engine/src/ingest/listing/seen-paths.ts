/** The paths that a listing has met, of which so many are held in memory. Once there are more, any may have been met. */
export class SeenPaths {
  readonly #most: number;
  readonly #paths = new Set<string>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether there are more than are held. */
  get isOverflowing(): boolean {
    return this.#paths.size > this.#most;
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
