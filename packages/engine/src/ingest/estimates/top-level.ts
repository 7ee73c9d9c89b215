import type { EstimateResponse } from '../../api/schemas.js';

type TopLevelEntry = EstimateResponse['top_level'][number];

const maxEntries = 200;

/** What a source holds at its top: folders, tables and single objects, with how many objects are in each. */
export class TopLevelCounts {
  readonly #found = new Map<string, TopLevelEntry>();

  add(path: string, isIndexable: boolean): void {
    const [name = '', ...below] = path.split('/');
    const known = this.#found.get(name);
    if (name === '' || (known === undefined && this.#found.size === maxEntries)) return;
    this.#found.set(name, {
      name,
      is_folder: known?.is_folder === true || below.length > 0,
      objects: (known?.objects ?? 0) + (isIndexable ? 1 : 0),
    });
  }

  entries(): TopLevelEntry[] {
    return [...this.#found.values()];
  }
}
