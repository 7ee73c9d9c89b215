import { uploadLimits } from '../limits.js';
import { invalidUpload } from '../upload-errors.js';

/** zstd needs this much up to level 19. A larger window would be held in memory. */
const maxWindowBytes = 8 * 1024 * 1024;
const frameMagic = 0xfd2fb528;
const skippableMagic = 0x184d2a50;

/**
 * Follows the frames of a zstd stream without decompressing them. Refuses large windows, which the library would allocate
 * without a check. Detects a truncated stream, which the library does not.
 */
export class ZstdFrames {
  /** The bytes of a header whose rest has not arrived. */
  #partialHeader = Buffer.alloc(0);
  /** The number of bytes before the next header. */
  #skip = 0;
  #next: 'frame' | 'block' = 'frame';
  #hasChecksum = false;
  #bytes = 0;
  /** The sum over all frames so far. */
  #windows = 0;

  /** Whether all started frames are complete. */
  get isWhole(): boolean {
    return this.#next === 'frame' && this.#skip === 0 && this.#partialHeader.byteLength === 0;
  }

  push(piece: Uint8Array): void {
    this.#bytes += piece.byteLength;
    let bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    if (this.#partialHeader.byteLength > 0) bytes = Buffer.concat([this.#partialHeader, bytes]);
    for (;;) {
      const skipped = Math.min(this.#skip, bytes.byteLength);
      this.#skip -= skipped;
      bytes = bytes.subarray(skipped);
      const length = bytes.byteLength === 0 ? null : this.#header(bytes);
      if (length === null) break;
      bytes = bytes.subarray(length);
    }
    this.#partialHeader = Buffer.from(bytes);
  }

  /** The length of the header at the start, or null while it is incomplete. */
  #header(bytes: Buffer): number | null {
    return this.#next === 'frame' ? this.#frame(bytes) : this.#block(bytes);
  }

  #frame(bytes: Buffer): number | null {
    if (bytes.byteLength < 8) return null;
    const magic = bytes.readUInt32LE(0);
    if ((magic & 0xfffffff0) >>> 0 === skippableMagic) {
      this.#skip = bytes.readUInt32LE(4);
      return 8;
    }
    if (magic !== frameMagic) throw invalidUpload('The zstd archive is damaged');
    const descriptor = bytes.readUInt8(4);
    const isSingle = (descriptor & 0x20) !== 0;
    const dictionary = [0, 1, 2, 4][descriptor & 3] ?? 0;
    const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
    const length = 5 + (isSingle ? 0 : 1) + dictionary + sizeBytes;
    if (bytes.byteLength < length) return null;
    const window = isSingle
      ? sizeAt(bytes, length - sizeBytes, sizeBytes)
      : windowOf(bytes.readUInt8(5));
    if (window > maxWindowBytes) {
      throw invalidUpload(
        `The zstd window is larger than ${maxWindowBytes} bytes. Compress without --long and --ultra.`,
      );
    }
    this.#count(window);
    this.#hasChecksum = (descriptor & 4) !== 0;
    this.#next = 'block';
    return length;
  }

  /** The library allocates a window for each frame, even an empty one. */
  #count(window: number): void {
    this.#windows += window;
    const { freeExpansionBytes, maxExpansion } = uploadLimits;
    if (this.#windows > freeExpansionBytes && this.#windows > maxExpansion * this.#bytes)
      throw invalidUpload(
        'The zstd frames are too short for their windows. Compress the archive in one piece.',
      );
  }

  #block(bytes: Buffer): number | null {
    if (bytes.byteLength < 3) return null;
    const header = bytes.readUIntLE(0, 3);
    const isRepeated = ((header >> 1) & 3) === 1;
    this.#skip = isRepeated ? 1 : header >> 3;
    if ((header & 1) === 1) {
      this.#next = 'frame';
      if (this.#hasChecksum) this.#skip += 4;
    }
    return 3;
  }
}

function windowOf(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

function sizeAt(bytes: Buffer, at: number, length: number): number {
  if (length === 8) return Number(bytes.readBigUInt64LE(at));
  return bytes.readUIntLE(at, length) + (length === 2 ? 256 : 0);
}
