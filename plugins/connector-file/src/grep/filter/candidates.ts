import { lstatSync } from 'node:fs';

import { FilterTable, type FileStamp } from './filter-table.js';
import { trigramHashes } from './signature.js';

/** Decides which files a search must read. */
export class Candidates {
  /** The number of files that the filter does not know, or not in their present state. */
  unknown = 0;
  readonly #table: FilterTable | null;
  readonly #hashes: readonly number[];

  /** `memory`: a checked filter, or null. `required`: bytes in every matching text. */
  constructor(memory: SharedArrayBuffer | null, required: Uint8Array) {
    this.#table = memory === null ? null : FilterTable.open(memory);
    this.#hashes = trigramHashes(required);
  }

  /** Whether a file is unchanged and lacks the required bytes. */
  excludes(realPath: string): boolean {
    const stamp = this.#table === null ? null : stampOf(realPath);
    const index = stamp === null ? null : (this.#table?.find(stamp) ?? null);
    if (index === null) this.unknown++;
    return index !== null && this.#table?.mayContain(index, this.#hashes) === false;
  }
}

/** Whether a filter can exclude files that lack these bytes. */
export function isFilterable(required: Uint8Array | null): required is Uint8Array {
  return required !== null && trigramHashes(required).length > 0;
}

/** Null for a missing file, or one that cannot be examined. */
export function stampOf(realPath: string): FileStamp | null {
  try {
    return lstatSync(realPath, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
