import type { Table } from '../source.js';

/** The reads of a sync follow its listing. Later ones request the facts of a table again. */
const maxAgeMs = 60_000;

/** The tables of the last listing, because a sync reads the changed ones soon. Each is used once for each of its objects. */
export class ListedTables<T extends Table> {
  readonly #left = new Map<string, { readonly table: T; uses: number }>();
  #listedAt = 0;

  replace(tables: readonly T[]): void {
    this.clear();
    this.#listedAt = performance.now();
    for (const table of tables)
      this.#left.set(nameOf(table.names), { table, uses: table.holds === undefined ? 2 : 1 });
  }

  clear(): void {
    this.#left.clear();
  }

  /** Returns a table as it was listed, or null if it was not listed lately. */
  take(names: readonly string[]): T | null {
    if (performance.now() - this.#listedAt > maxAgeMs) this.clear();
    const found = this.#left.get(nameOf(names));
    if (found === undefined) return null;
    found.uses--;
    if (found.uses === 0) this.#left.delete(nameOf(names));
    return found.table;
  }
}

function nameOf(names: readonly string[]): string {
  return JSON.stringify(names);
}
