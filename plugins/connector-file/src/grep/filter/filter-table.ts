import type { Stats } from 'node:fs';
import { crc32 } from 'node:zlib';

import { mayContain } from './signature.js';

/** Names the format. A change of the format or of signatures needs another number. */
const formatMark = 0x54_47_46_01;
const headerBytes = 16;
/** Size, modification and change time, inode and device of a file. Together they change whenever the file changes. */
const numbersPerFile = 5;
const bytesPerFile = numbersPerFile * Float64Array.BYTES_PER_ELEMENT;

/** The identity and state of a file. */
export type FileStamp = Pick<Stats, 'size' | 'mtimeMs' | 'ctimeMs' | 'ino' | 'dev'>;

/** A file with the signature of its text, or with an empty one if any text may be in it. */
export interface SignedFile extends FileStamp {
  readonly signature: Uint8Array;
}

/**
 * Returns the parts of a filter file: the number of files, their states by inode, the ends of their signatures, and the
 * signatures. A check sum protects against a file that a power cut left incomplete.
 */
export function encodeFilter(files: readonly SignedFile[]): Uint8Array[] {
  const sorted = files.toSorted((a, b) => a.ino - b.ino);
  const states = new Float64Array(sorted.length * numbersPerFile);
  const ends = new Uint32Array(sorted.length);
  const signatures = new Uint8Array(
    sorted.reduce((sum, { signature }) => sum + signature.length, 0),
  );
  let end = 0;
  for (const [index, file] of sorted.entries()) {
    states.set(numbersOf(file), index * numbersPerFile);
    signatures.set(file.signature, end);
    end += file.signature.length;
    ends[index] = end;
  }
  const content = [bytesOf(states), bytesOf(ends), signatures];
  const sum = content.reduce((crc, part) => crc32(part, crc), 0);
  return [bytesOf(Uint32Array.of(formatMark, sorted.length, end, sum)), ...content];
}

/** A filter file in memory. */
export class FilterTable {
  readonly #states: Float64Array;
  readonly #ends: Uint32Array;
  readonly #signatures: Uint8Array;

  private constructor(memory: ArrayBufferLike, count: number) {
    const endsAt = headerBytes + count * bytesPerFile;
    this.#states = new Float64Array(memory, headerBytes, count * numbersPerFile);
    this.#ends = new Uint32Array(memory, endsAt, count);
    this.#signatures = new Uint8Array(memory, endsAt + this.#ends.byteLength);
  }

  /** Null for the content of a damaged file, or of one in another format. */
  static check(memory: ArrayBufferLike): FilterTable | null {
    if (memory.byteLength < headerBytes) return null;
    const [mark, count = 0, signatureBytes = 0, sum] = new Uint32Array(memory, 0, 4);
    const size = headerBytes + count * (bytesPerFile + 4) + signatureBytes;
    if (mark !== formatMark || memory.byteLength !== size) return null;
    return crc32(new Uint8Array(memory, headerBytes)) === sum
      ? new FilterTable(memory, count)
      : null;
  }

  /** Opens memory that was checked before. */
  static open(memory: ArrayBufferLike): FilterTable {
    const [, count = 0] = new Uint32Array(memory, 0, 2);
    return new FilterTable(memory, count);
  }

  get size(): number {
    return this.#ends.length;
  }

  /** The index of a file in this state. Null if it is unknown or has changed. */
  find(file: FileStamp): number | null {
    for (let index = this.#firstWith(file.ino); index < this.size; index++) {
      const at = index * numbersPerFile;
      if (this.#states[at] !== file.ino) return null;
      if (numbersOf(file).every((value, n) => this.#states[at + n] === value)) return index;
    }
    return null;
  }

  /** Whether the text of a file may contain all trigrams. */
  mayContain(index: number, hashes: readonly number[]): boolean {
    const start = this.#startOf(index);
    const length = (this.#ends[index] ?? 0) - start;
    return length === 0 || mayContain(this.#signatures, { start, length }, hashes);
  }

  signature(index: number): Uint8Array {
    return this.#signatures.subarray(this.#startOf(index), this.#ends[index]);
  }

  #startOf(index: number): number {
    return this.#ends[index - 1] ?? 0;
  }

  /** The first index whose inode is not below this one. */
  #firstWith(ino: number): number {
    let from = 0;
    let to = this.size;
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#states[middle * numbersPerFile] ?? 0) < ino) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

function numbersOf({ ino, dev, size, mtimeMs, ctimeMs }: FileStamp): number[] {
  return [ino, dev, size, mtimeMs, ctimeMs];
}

function bytesOf({ buffer, byteOffset, byteLength }: NodeJS.TypedArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
