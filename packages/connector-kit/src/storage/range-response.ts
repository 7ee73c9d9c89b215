import type { ByteRange, Content } from '@trove/core';

const compressedEncoding = /gzip|deflate|compress|br|zstd/i;
/** The status for an object without bytes in the requested range. */
export const rangeNotSatisfiable = 416;

/** Returns the value of a `Range` header. */
export function rangeHeader({ start, end }: ByteRange): string {
  return `bytes=${start}-${end === undefined ? '' : end - 1}`;
}

/**
 * Returns the content of a response to a request with a range. Returns null, and cancels the response, if the caller must read
 * the whole object.
 */
export async function rangeContentOf(
  { status, headers, body }: Response,
  start: number,
): Promise<Content | null> {
  const [, from] = /^bytes (\d+)-/.exec(headers.get('content-range') ?? '') ?? [];
  // A part of compressed content cannot be decompressed alone.
  const isPart = status === 206 && !compressedEncoding.test(headers.get('content-encoding') ?? '');
  if (isPart && from !== undefined) return { bytes: body ?? new Uint8Array(), start: Number(from) };
  if (status === 200) return { bytes: body ?? new Uint8Array() };
  await body?.cancel();
  return status === rangeNotSatisfiable ? { bytes: new Uint8Array(), start } : null;
}
