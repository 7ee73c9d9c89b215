import { TroveError } from '@trove/core';
import seekBzip from 'seek-bzip';
import xz from 'xz-decompress';
import { unzstd } from '../../sources/uploads/archive/zstd.js';
import type { DecompressRequest } from './messages.js';

/** Decompresses an object. Throws `payload_too_large` beyond the limit and `not_supported` for damaged data. */
export async function decompress({
  bytes,
  compression,
  maxBytes,
}: DecompressRequest): Promise<Uint8Array<ArrayBuffer>> {
  const plain = new DecompressedBytes(maxBytes);
  try {
    if (compression === 'bzip2') {
      seekBzip.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), plain, true);
    } else if (compression === 'xz') {
      for await (const piece of new xz.XzReadableStream(streamOf(bytes))) plain.add(piece);
    } else {
      for await (const piece of unzstd(piecesOf(bytes))) plain.add(piece);
    }
  } catch (error) {
    if (error instanceof TroveError && error.code === 'payload_too_large') throw error;
    throw new TroveError('not_supported', `The ${compression} data is damaged`, {
      cause: error,
    });
  }
  return plain.bytes();
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      controller.enqueue(bytes);
      controller.close();
    },
  });
}

const initialBytes = 64 * 1024;

/** Collects decompressed bytes up to a limit. */
class DecompressedBytes {
  readonly #limit: number;
  #all = new Uint8Array(initialBytes);
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(piece: Uint8Array): void {
    this.#reserve(piece.length);
    this.#all.set(piece, this.#length);
    this.#length += piece.length;
  }

  /** Called by seek-bzip, which writes single bytes. */
  writeByte(byte: number): void {
    if (this.#length === this.#all.length) this.#reserve(1);
    this.#all[this.#length++] = byte;
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return this.#all.slice(0, this.#length);
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed > this.#limit) throw tooLarge(this.#limit);
    if (needed <= this.#all.length) return;
    const larger = new Uint8Array(Math.min(this.#limit, Math.max(needed, 2 * this.#all.length)));
    larger.set(this.#all.subarray(0, this.#length));
    this.#all = larger;
  }
}

function tooLarge(limit: number): TroveError {
  return new TroveError('payload_too_large', `The object expands to more than ${limit} bytes`);
}
