import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { TroveError, type Content } from '@trove/core';
import { mediaTypeOf } from '@trove/text/media-types';
import type { Decompression } from './content-request.js';
import type { Compression } from './compute/messages.js';
import { readStart } from './first-bytes.js';
import type { ReadableObject } from './readable-object.js';
import { collectBytes } from './byte-buffer.js';

/** Streams may expand beyond the limit for objects in memory, but not without limit. */
const maxDecompressedBytes = 1024 * 1024 * 1024;
const compressions: Readonly<Record<string, Compression | 'gzip'>> = {
  'application/gzip': 'gzip',
  'application/zstd': 'zstd',
  'application/x-bzip2': 'bzip2',
  'application/x-xz': 'xz',
};
/** The media types that a source may report for compressed objects. */
export const compressedMediaTypes: readonly string[] = Object.keys(compressions);

/** The endings of the names of compressed files, in lower case. */
export const compressedEndings: readonly string[] = ['.gz', '.zst', '.zstd', '.bz2', '.xz'];

const compressedNamePattern = new RegExp(
  `^(.*[^/])(?:${compressedEndings.map((ending) => `\\${ending}`).join('|')})$`,
  'i',
);

/** The name of the file inside a compressed file; null for other files and for archives. */
export function decompressedName(name: string): string | null {
  const innerName = compressedNamePattern.exec(name)?.[1];
  return innerName === undefined || /\.tar$/i.test(innerName) ? null : innerName;
}

/** Returns the object itself or, if its name and bytes show one compressed file, that file. */
export async function decompressContent(
  object: ReadableObject,
  name: string,
  content: Content,
  { pool, maxBytes }: Decompression,
  signal: AbortSignal,
): Promise<{ readonly object: ReadableObject; readonly content: Content }> {
  const innerName = decompressedName(name);
  if (innerName === null) return { object, content };
  const { start, bytes } = await readStart(content.bytes);
  const compression = compressions[mediaTypeOf('', start) ?? ''];
  if (compression === undefined) return { object, content: { ...content, bytes } };
  const { mediaType: _, ...rest } = content;
  const path = object.path === '' ? '' : innerName;
  return {
    object: { path, size: null },
    content: { ...rest, bytes: await decompress(), transferable: false },
  };

  async function decompress(): Promise<Content['bytes']> {
    if (compression === 'gzip') return gunzip(bytes);
    const { transferable = false } = content;
    const compressed = await collectBytes({ bytes, transferable }, object.size ?? 0, maxBytes);
    if (compressed === null || compression === undefined)
      throw new TroveError('payload_too_large', `The object has more than ${maxBytes} bytes`);
    return pool.run('decompress', { bytes: compressed, compression, maxBytes }, { signal });
  }
}

async function* gunzip(bytes: Content['bytes']): AsyncGenerator<Uint8Array, void, undefined> {
  const source = Readable.from(bytes instanceof Uint8Array ? [bytes] : bytes, {
    objectMode: false,
  });
  const stream = createGunzip();
  const piping = pipeline(source, stream);
  piping.catch(() => undefined);
  let size = 0;
  try {
    for await (const piece of stream) {
      if (!(piece instanceof Uint8Array)) continue;
      size += piece.length;
      if (size > maxDecompressedBytes)
        throw new TroveError(
          'payload_too_large',
          `The object expands to more than ${maxDecompressedBytes} bytes`,
        );
      yield piece;
    }
    await piping;
  } catch (error) {
    if (!isZlibError(error)) throw error;
    throw new TroveError('not_supported', 'The gzip data is damaged or incomplete', {
      cause: error,
    });
  } finally {
    stream.destroy();
  }
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}
