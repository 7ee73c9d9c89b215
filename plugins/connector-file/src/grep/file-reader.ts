import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

import { isOpenedAt } from '@trove/core/local';

const minBufferBytes = 1024 * 1024;
/** Larger files are not searched, because each thread would hold their text in memory. */
const maxFileBytes = 64 * 1024 * 1024;

/** Reads files into one buffer. A result is valid only until the next call. */
export class FileReader {
  #buffer = Buffer.allocUnsafeSlow(minBufferBytes);

  /** Reads the file at a real path. Returns `large` above 64 MiB, and `unreadable` for missing and unreadable files. */
  read(path: string): Buffer | 'large' | 'unreadable' {
    let file: number;
    try {
      file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch {
      return 'unreadable';
    }
    try {
      const stats = fstatSync(file);
      if (!stats.isFile() || !isOpenedAt(file, path)) return 'unreadable';
      if (stats.size > maxFileBytes) return 'large';
      return this.#fill(file, stats.size);
    } catch {
      return 'unreadable';
    } finally {
      closeSync(file);
    }
  }

  #fill(file: number, size: number): Buffer {
    if (size > this.#buffer.length || this.#buffer.length > Math.max(minBufferBytes, 8 * size)) {
      this.#buffer = Buffer.allocUnsafeSlow(Math.max(minBufferBytes, size));
    }
    let filled = 0;
    while (filled < size) {
      const count = readSync(file, this.#buffer, filled, size - filled, null);
      if (count === 0) break;
      filled += count;
    }
    return this.#buffer.subarray(0, filled);
  }
}
