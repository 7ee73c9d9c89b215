import type { ByteRange, Content } from '@trove/core';

import { rangeNotSatisfiable } from './status.js';
import type { Bucket } from './bucket.js';

const compressedEncoding = /gzip|deflate|compress|br|zstd/i;

/** Some bytes of an object, and where they begin; null when the whole of it is to be read. */
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
  // A part of what is compressed says nothing by itself.
  const isPart = status === 206 && !compressedEncoding.test(headers.get('content-encoding') ?? '');
  if (isPart && from !== undefined) return { bytes: body ?? new Uint8Array(), start: Number(from) };
  if (status === 200) return { bytes: body ?? new Uint8Array() };
  await body?.cancel();
  return status === rangeNotSatisfiable ? { bytes: new Uint8Array(), start } : null;
}
