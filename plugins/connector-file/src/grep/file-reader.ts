import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

import { isOpenedAt } from '@trove/core/local';

const minBufferBytes = 1024 * 1024;
/** Larger files are not searched: their text would have to fit into the memory of each thread. */
const maxFileBytes = 64 * 1024 * 1024;

/** Reads files one at a time into the same buffer: a result is valid until the next call. */
export class FileReader {
  #buffer = Buffer.allocUnsafeSlow(minBufferBytes);

  /** The bytes of the file at a real path; `large` if over 64 MiB, `unread` if it does not exist or may not be read. */
  read(at: string): Buffer | 'large' | 'unread' {
    let file: number;
    try {
      file = openSync(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch {
      return 'unread';
    }
    try {
      const stats = fstatSync(file);
      if (!stats.isFile() || !isOpenedAt(file, at)) return 'unread';
      if (stats.size > maxFileBytes) return 'large';
      return this.#fill(file, stats.size);
    } catch {
      return 'unread';
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
