/** With more wrong entries in one listing, the connector itself is at fault. */
const maxPerListing = 1000;

/** What is wrong with the entries that a connector listed, by path: the latest 1,000. */
export class InvalidEntries {
  readonly #problems = new Map<string, string>();

  problemOf(path: string): string | null {
    return this.#problems.get(path) ?? null;
  }

  /** Counts the wrong entries of one listing. */
  ofListing(): { take(path: string, problem: string | null): boolean } {
    let wrong = 0;
    return {
      /** Keeps what is wrong with an entry, if anything is. False: the listing has too many of them. */
      take: (path, problem) => {
        this.#problems.delete(path);
        if (problem === null) return true;
        if (++wrong > maxPerListing) return false;
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
