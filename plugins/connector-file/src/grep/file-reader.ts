import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

const SMALL = 1024 * 1024;
/** Larger files are not searched: their text would have to fit into memory in each thread. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Reads files one after the other into the same memory: what was read is valid until the next call. */
export class FileReader {
  #buffer = Buffer.allocUnsafeSlow(SMALL);

  /** The bytes of a file; `large` for one over 64 MiB, `unread` when it is not there or may not be read. */
  read(at: string): Buffer | 'large' | 'unread' {
    let file: number;
    try {
      file = openSync(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch {
      return 'unread';
    }
    try {
      const stats = fstatSync(file);
      if (!stats.isFile()) return 'unread';
      if (stats.size > MAX_FILE_BYTES) return 'large';
      return this.#fill(file, stats.size);
    } catch {
      return 'unread';
    } finally {
      closeSync(file);
    }
  }

  #fill(file: number, size: number): Buffer {
    if (size > this.#buffer.length || this.#buffer.length > Math.max(SMALL, 8 * size)) {
      this.#buffer = Buffer.allocUnsafeSlow(Math.max(SMALL, size));
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
