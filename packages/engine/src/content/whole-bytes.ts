import { TroveError, type Content } from '@trove/core';

/** All bytes of an object. Throws `payload_too_large` for more than `limit`. */
export async function collectBytes(content: Content, limit: number): Promise<Uint8Array> {
  if (content.bytes instanceof Uint8Array) {
    if (content.bytes.byteLength > limit) throw tooLarge(limit);
    return content.bytes;
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of content.bytes) {
    size += part.byteLength;
    if (size > limit) throw tooLarge(limit);
    parts.push(part);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.byteLength;
  }
  return all;
}

function tooLarge(limit: number): TroveError {
  return new TroveError('payload_too_large', `The object has more than ${limit} bytes`);
}
