import {
  copyFileSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Writable } from 'node:stream';
import { messageOf, TroveError } from '@trove/core';

/** The size is checked after this many bytes, because other processes may write to the file too. */
const sizeCheckBytes = 64 * 1024;

export interface RotationLimits {
  readonly maxBytes: number;
  /** Number of rotated files. `FILE.1` is the newest. */
  readonly maxRotatedFiles: number;
}

/**
 * A log file that is copied and truncated when it grows too large. It keeps its inode, because other processes
 * may write to it: a process whose standard error it is, Node and native libraries. Lines are written
 * synchronously, because the last lines before a crash matter.
 */
export class LogFile extends Writable {
  readonly #path: string;
  readonly #limits: RotationLimits;
  readonly #file: number;
  #bytesSinceCheck = sizeCheckBytes;

  /** Creates the file and its folder, readable only by their owner. Throws `storage_unavailable`. */
  constructor(path: string, limits: RotationLimits) {
    super({ decodeStrings: true });
    this.#path = path;
    this.#limits = limits;
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      this.#file = openSync(path, 'a', 0o600);
    } catch (cause) {
      const reason = messageOf(cause);
      throw new TroveError('storage_unavailable', `log.file: ${reason}`, { cause });
    }
  }

  override _write(line: Buffer, _encoding: BufferEncoding, done: () => void): void {
    try {
      writeSync(this.#file, line);
      this.#bytesSinceCheck += line.length;
      if (this.#bytesSinceCheck >= sizeCheckBytes) this.#rotateIfLarge();
    } catch {
      // The disk may be full. The service continues without its log.
    }
    done();
  }

  #rotateIfLarge(): void {
    this.#bytesSinceCheck = 0;
    if (fstatSync(this.#file).size < this.#limits.maxBytes) return;
    const { maxRotatedFiles } = this.#limits;
    const rotatedPath = (at: number): string => `${this.#path}.${at}`;
    for (let at = maxRotatedFiles - 1; at > 0; at--) {
      if (existsSync(rotatedPath(at))) renameSync(rotatedPath(at), rotatedPath(at + 1));
    }
    if (maxRotatedFiles > 0) copyFileSync(this.#path, rotatedPath(1));
    ftruncateSync(this.#file);
  }
}
