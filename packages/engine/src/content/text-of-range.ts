import { TroveError, type ByteRange } from '@trove/core';
import { decodeAs, sniff, type TextEncoding } from '@trove/core/content';
import { bytesOfRange } from './bytes-of-range.js';
import { isConverted } from './end-of-text.js';
import type { Reading } from './reading.js';

const startBytes = 64 * 1024;

/**
 * The whole characters in a range of an object's bytes; null for a binary object. Throws `range_unsupported` for a document,
 * whose text is not in its bytes, and `object_too_large_for_cat` for more than `maxBytes`.
 */
export async function textOfRange(
  reading: Reading,
  range: Required<ByteRange>,
  maxBytes: number,
): Promise<string | null> {
  const start = await bytesAt(reading, { start: 0, end: startBytes });
  const { binary, encoding } = sniff(start, { prefix: true });
  if (isConverted(reading, start))
    throw new TroveError('range_unsupported', 'The text of a document is not in its bytes');
  if (binary) return null;
  if (range.end - range.start > maxBytes)
    throw new TroveError('object_too_large_for_cat', `That is more than ${maxBytes} bytes`);
  return textIn(await bytesAt(reading, range), encoding, range.start);
}

async function bytesAt(
  { connector, object, signal }: Reading,
  range: Required<ByteRange>,
): Promise<Uint8Array<ArrayBuffer>> {
  const content = await connector.read(object.path, signal, range);
  return (await bytesOfRange(content, range, range.end - range.start)) ?? new Uint8Array();
}

/** Without the characters that the bytes begin or end in the middle of. */
function textIn(bytes: Uint8Array, encoding: TextEncoding, start: number): string {
  if (encoding === 'latin1') return decodeAs(bytes, { binary: false, encoding, bomLength: 0 });
  const from = encoding === 'utf-8' ? inCharacter(bytes) : start % 2;
  // With `stream`, a character that is cut off at the end is left out.
  return new TextDecoder(encoding).decode(bytes.subarray(from), { stream: true });
}

/** How many bytes at the beginning of UTF-8 continue a character. */
function inCharacter(bytes: Uint8Array): number {
  const lead = bytes.subarray(0, 4).findIndex((byte) => (byte & 0xc0) !== 0x80);
  return Math.max(0, lead);
}
