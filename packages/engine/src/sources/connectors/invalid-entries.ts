/** With more invalid entries in one listing, the connector itself is at fault. */
const maxPerListing = 1000;

/** The problems of the latest 1,000 invalid entries that a connector listed, by path. */
export class InvalidEntries {
  readonly #problems = new Map<string, string>();

  problemOf(path: string): string | null {
    return this.#problems.get(path) ?? null;
  }

  /** Counts the invalid entries of one listing. */
  ofListing(): { add(path: string, problem: string | null): boolean } {
    let count = 0;
    return {
      /** Records the problem of an entry, or its absence. Returns false if the listing has too many invalid entries. */
      add: (path, problem) => {
        this.#problems.delete(path);
        if (problem === null) return true;
        if (++count > maxPerListing) return false;
        this.#keep(path, problem);
        return true;
      },
    };
  }

  #keep(path: string, problem: string): void {
    this.#problems.set(path, problem);
    const [oldest] = this.#problems.keys();
    if (this.#problems.size > maxPerListing && oldest !== undefined) this.#problems.delete(oldest);
  }
}
