import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

import { isOpenedAt } from '@trove/core/local';

const minBufferBytes = 1024 * 1024;
/** Larger files are not searched, because each thread would hold their text in memory. */
const maxFileBytes = 64 * 1024 * 1024;

/** Reads files into one buffer. The bytes are valid only during the search. */
export class FileReader {
  #buffer = Buffer.allocUnsafeSlow(minBufferBytes);

  /**
   * Returns what `search` finds in the bytes of the file at a real path, or null for nothing. Returns `large` above
   * 64 MiB, and `unreadable` for missing and unreadable files, and if the file is not at this path.
   */
  search<T>(path: string, search: (bytes: Buffer) => T | null): T | 'large' | 'unreadable' | null {
    let file: number;
    try {
      file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch {
      return 'unreadable';
    }
    try {
      const bytes = this.#read(file);
      const found = typeof bytes === 'string' ? bytes : search(bytes);
      // Checking the path takes as long as reading a small file, so it is left out where nothing is shown.
      return found === null || isOpenedAt(file, path) ? found : 'unreadable';
    } finally {
      closeSync(file);
    }
  }

  #read(file: number): Buffer | 'large' | 'unreadable' {
    try {
      const small = this.#readSmall(file);
      if (small !== null) return small;
      const stats = fstatSync(file);
      if (!stats.isFile()) return 'unreadable';
      if (stats.size > maxFileBytes) return 'large';
      this.#buffer = Buffer.allocUnsafeSlow(stats.size);
      return this.#buffer.subarray(0, this.#fill(file, stats.size));
    } catch {
      return 'unreadable';
    }
  }

  /** Reads a file that is smaller than the smallest buffer, without asking for its size. Null for a larger file. */
  #readSmall(file: number): Buffer | null {
    if (this.#buffer.length !== minBufferBytes)
      this.#buffer = Buffer.allocUnsafeSlow(minBufferBytes);
    const filled = this.#fill(file, minBufferBytes);
    return filled < minBufferBytes ? this.#buffer.subarray(0, filled) : null;
  }

  /** Reads at positions, which fails for a pipe and consumes nothing from another process. */
  #fill(file: number, size: number): number {
    let filled = 0;
    while (filled < size) {
      const count = readSync(file, this.#buffer, filled, size - filled, filled);
      if (count === 0) break;
      filled += count;
    }
    return filled;
  }
}
