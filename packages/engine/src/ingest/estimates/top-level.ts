import type { EstimateResponse } from '../../api/schemas.js';

type TopLevelEntry = EstimateResponse['top_level'][number];

const maxEntries = 200;

/** Counts the objects in each top-level folder, table or object of a source. */
export class TopLevelCounts {
  readonly #entries = new Map<string, TopLevelEntry>();

  add(path: string, isIndexable: boolean): void {
    const [name = '', ...below] = path.split('/');
    const known = this.#entries.get(name);
    if (name === '' || (known === undefined && this.#entries.size === maxEntries)) return;
    this.#entries.set(name, {
      name,
      is_folder: known?.is_folder === true || below.length > 0,
      objects: (known?.objects ?? 0) + (isIndexable ? 1 : 0),
      left_out: (known?.left_out ?? 0) + (isIndexable ? 0 : 1),
    });
  }

  entries(): TopLevelEntry[] {
    return [...this.#entries.values()];
  }
}
