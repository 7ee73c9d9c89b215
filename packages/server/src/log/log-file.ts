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

/** How often its size is looked at: other processes may write to it, too. */
const sizeCheckBytes = 64 * 1024;

export interface RotationLimits {
  readonly maxBytes: number;
  /** How many former files are kept; `FILE.1` is the latest of them. */
  readonly keep: number;
}

/**
 * A log file that is copied away and emptied when it has grown large. It stays the same file, so that whoever else has it
 * open goes on writing to it: a process whose standard error it is, and what native libraries and Node itself print there.
 * Lines are written at once, because the last ones before a crash matter.
 */
export class LogFile extends Writable {
  readonly #path: string;
  readonly #limits: RotationLimits;
  readonly #file: number;
  #unseen = sizeCheckBytes;

  /** Creates it for its owner only, with its folder. Throws `storage_unavailable`. */
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
      this.#unseen += line.length;
      if (this.#unseen >= sizeCheckBytes) this.#look();
    } catch {
      // The disk is full: the service goes on without its log.
    }
    done();
  }

  #look(): void {
    this.#unseen = 0;
    if (fstatSync(this.#file).size < this.#limits.maxBytes) return;
    const { keep } = this.#limits;
    const former = (at: number): string => `${this.#path}.${at}`;
    for (let at = keep - 1; at > 0; at--) {
      if (existsSync(former(at))) renameSync(former(at), former(at + 1));
    }
    if (keep > 0) copyFileSync(this.#path, former(1));
    ftruncateSync(this.#file);
  }
}
