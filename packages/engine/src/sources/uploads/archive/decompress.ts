import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { uploadLimits } from '../limits.js';
import { invalidUpload, uploadTooLarge } from '../upload-errors.js';
import { unzstd } from './zstd.js';

const pieceBytes = 64 * 1024;
/** The bytes at the start that identify a compression. */
const magicBytes = 4;

/**
 * Decompresses an archive, according to its first bytes. Throws `upload_invalid` if it is damaged or expands too much, and
 * `payload_too_large` beyond `maxBytes`.
 */
export async function* decompress(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array, void> {
  const counted = new CountedBytes(bytes);
  const compressed = await counted.start(magicBytes);
  const other = otherCompression(compressed);
  if (other !== null)
    throw invalidUpload(`The archive is compressed with ${other}. Send tar, gzip or zstd.`);
  const expand = expanderFor(compressed);
  if (expand === null) {
    yield* counted;
    return;
  }
  let size = 0;
  let start: Uint8Array = new Uint8Array();
  for await (const piece of expand(copiesOf(counted))) {
    if (start.byteLength < magicBytes) {
      start = Buffer.concat([start, piece.subarray(0, magicBytes)]);
      // A nested archive has no purpose, and these limits would not apply to it.
      if (expanderFor(start) !== null) throw invalidUpload('The archive is compressed twice');
    }
    size += piece.byteLength;
    if (size > maxBytes) throw uploadTooLarge(`The archive expands to more than ${maxBytes} bytes`);
    if (
      size > uploadLimits.freeExpansionBytes &&
      size > uploadLimits.maxExpansion * counted.bytes
    ) {
      throw invalidUpload(
        `The archive expands to more than ${uploadLimits.maxExpansion} times its size`,
      );
    }
    yield piece;
  }
}

type Decompressor = (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;

function expanderFor(start: Uint8Array): Decompressor | null {
  if (start[0] === 0x1f && start[1] === 0x8b) return gunzip;
  return isZstd(start) ? unzstd : null;
}

/** Returns the name of a common but unsupported compression. */
function otherCompression(start: Uint8Array): string | null {
  const text = Buffer.from(start).toString('latin1');
  if (/^BZh[1-9]/.test(text)) return 'bzip2';
  return text.startsWith('\xfd7zX') ? 'xz' : null;
}

/** Accepts a zstd frame or a skippable frame, which pzstd writes first. */
function isZstd([first = 0, second, third, fourth]: Uint8Array): boolean {
  const isSkipped = first >> 4 === 5 && second === 0x2a && third === 0x4d && fourth === 0x18;
  return isSkipped || (first === 0x28 && second === 0xb5 && third === 0x2f && fourth === 0xfd);
}

async function* gunzip(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const stream = createGunzip({ chunkSize: pieceBytes });
  const feeding = pipeline(Readable.from(bytes, { objectMode: false }), stream);
  feeding.catch(() => undefined);
  try {
    for await (const piece of stream) if (piece instanceof Uint8Array) yield piece;
    await feeding;
  } catch (error) {
    throw isDamage(error) ? invalidUpload('The gzip archive is damaged or truncated') : error;
  }
}

/** Copies each piece. The decompressor keeps its input, but a piece is valid only until the next read. */
async function* copiesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  for await (const piece of pieces) yield new Uint8Array(piece);
}

function isDamage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}

/** Counts bytes as they are read. `start` returns the first ones without counting them. */
class CountedBytes implements AsyncIterable<Uint8Array> {
  bytes = 0;
  readonly #pieces: AsyncIterator<Uint8Array>;
  #first = new Uint8Array();

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Returns at least the first `count` bytes, or all if there are fewer. */
  async start(count: number): Promise<Uint8Array> {
    while (this.#first.byteLength < count) {
      const step = await this.#pieces.next();
      if (step.done === true) break;
      this.#first = new Uint8Array(Buffer.concat([this.#first, step.value]));
    }
    return this.#first;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    this.bytes += this.#first.byteLength;
    if (this.#first.byteLength > 0) yield this.#first;
    for (
      let step = await this.#pieces.next();
      step.done !== true;
      step = await this.#pieces.next()
    ) {
      this.bytes += step.value.byteLength;
      yield step.value;
    }
  }
}
