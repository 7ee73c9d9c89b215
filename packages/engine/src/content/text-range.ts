import { TroveError, type ByteRange } from '@trove/core';
import { decoderOf, sniff, type TextEncoding } from '@trove/text/encodings';
import { collectRange } from './byte-range.js';
import { decompressedName } from './compressed-content.js';
import { isConverted } from './text-end.js';
import type { ContentRequest } from './content-request.js';
import { nameOf } from '../sources/objects/stated-type.js';

/** How far a character of one byte is looked for. */
const maxScanBytes = 256;
const startBytes = 128 * 1024;

/**
 * The whole characters in a range of an object's bytes; null for a binary object. Throws `range_unsupported` for a document,
 * whose text is not in its bytes, and `object_too_large_for_cat` for more than `maxBytes`.
 */
export async function readTextRange(
  reading: ContentRequest,
  range: Required<ByteRange>,
  maxBytes: number,
): Promise<string | null> {
  const start = await readBytes(reading, { start: 0, end: startBytes });
  const { binary, encoding } = sniff(start, {
    prefix: true,
    encoding: reading.encoding ?? undefined,
  });
  if (isConverted(reading, start) || isCompressed(reading, binary))
    throw new TroveError('range_unsupported', 'The text of a document is not in its bytes');
  if (binary) return null;
  if (range.end - range.start > maxBytes)
    throw new TroveError('object_too_large_for_cat', `That is more than ${maxBytes} bytes`);
  return decodeRange(await readBytes(reading, range), encoding, range.start);
}

function isCompressed({ connector, object }: ContentRequest, isBinary: boolean): boolean {
  return isBinary && decompressedName(nameOf(connector.rootUri, object.path)) !== null;
}

async function readBytes(
  { connector, object, signal }: ContentRequest,
  range: Required<ByteRange>,
): Promise<Uint8Array<ArrayBuffer>> {
  const content = await connector.read(object.path, signal, range);
  return (await collectRange(content, range, range.end - range.start)) ?? new Uint8Array();
}

/** Without the characters that the bytes begin or end in the middle of. */
function decodeRange(bytes: Uint8Array, encoding: TextEncoding, start: number): string {
  const from =
    encoding === 'utf-8' ? continuationBytes(bytes) : partialUnitBytes(bytes, encoding, start);
  return decoderOf(encoding).write(bytes.subarray(from));
}

/** How many bytes at the beginning belong to a character before; where nothing tells, none. */
function partialUnitBytes(bytes: Uint8Array, encoding: TextEncoding, start: number): number {
  if (start === 0) return 0;
  if (encoding.startsWith('utf-16')) return start % 2;
  if (encoding.startsWith('utf-32')) return (4 - (start % 4)) % 4;
  if (!/^(?:shift_jis|euc-|gb|big5)/.test(encoding)) return 0;
  // No character of two bytes ends in one of these.
  return Math.max(
    0,
    bytes.subarray(0, maxScanBytes).findIndex((byte) => byte < 0x30),
  );
}

/** How many bytes at the beginning of UTF-8 continue a character. */
function continuationBytes(bytes: Uint8Array): number {
  const lead = bytes.subarray(0, 4).findIndex((byte) => (byte & 0xc0) !== 0x80);
  return Math.max(0, lead);
}
