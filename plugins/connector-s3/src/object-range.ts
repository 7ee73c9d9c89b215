import type { ByteRange, Content } from '@trove/core';

import { rangeNotSatisfiable } from './status.js';
import type { Bucket } from './bucket.js';

const compressedEncoding = /gzip|deflate|compress|br|zstd/i;

/** Reads a range of an object. Returns null if the caller must read the whole object. */
export async function readRange(
  bucket: Bucket,
  key: string,
  { start, end }: ByteRange,
  signal: AbortSignal,
): Promise<Content | null> {
  if (end !== undefined && end <= start) return { bytes: new Uint8Array(), start };
  const range = `bytes=${start}-${end === undefined ? '' : end - 1}`;
  const response = await bucket.request({ method: 'GET', key, headers: { range }, signal });
  const { status, headers, body } = response;
  const [, from] = /^bytes (\d+)-/.exec(headers.get('content-range') ?? '') ?? [];
  // A part of compressed content cannot be decompressed alone.
  const isPart = status === 206 && !compressedEncoding.test(headers.get('content-encoding') ?? '');
  if (isPart && from !== undefined) return { bytes: body ?? new Uint8Array(), start: Number(from) };
  if (status === 200) return { bytes: body ?? new Uint8Array() };
  await body?.cancel();
  return status === rangeNotSatisfiable ? { bytes: new Uint8Array(), start } : null;
}
