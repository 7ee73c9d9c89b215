import { TroveError, type ByteRange } from '@trove/core';
import { decoderOf, sniff, type TextEncoding } from '@trove/text/encodings';
import { collectRange } from './byte-range.js';
import { decompressedName } from './compressed-content.js';
import { isConverted } from './text-end.js';
import type { ContentRequest } from './content-request.js';
import { nameOf } from '../sources/objects/stated-type.js';

/** How far to search for a single-byte character. */
const maxScanBytes = 256;
const startBytes = 128 * 1024;

/**
 * Reads the characters that lie completely in a range of an object's bytes. Returns null for a binary object. Throws
 * `range_unsupported` for documents, whose text is not in their bytes, and `object_too_large_for_cat` for more than
 * `maxBytes`.
 */
export async function readTextRange(
  request: ContentRequest,
  range: Required<ByteRange>,
  maxBytes: number,
): Promise<string | null> {
  const start = await readBytes(request, { start: 0, end: startBytes });
  const { binary, encoding } = sniff(start, {
    prefix: true,
    encoding: request.encoding ?? undefined,
  });
  if (isConverted(request, start) || isCompressed(request, binary))
    throw new TroveError(
      'range_unsupported',
      'Documents and compressed objects have no byte ranges',
      {
        suggestions: ['Select lines with `range` instead.'],
      },
    );
  if (binary) return null;
  if (range.end - range.start > maxBytes)
    throw new TroveError(
      'object_too_large_for_cat',
      `The requested range has more than ${maxBytes} bytes`,
    );
  return decodeRange(await readBytes(request, range), encoding, range.start);
}

function isCompressed({ connector, object }: ContentRequest, isBinary: boolean): boolean {
  return isBinary && decompressedName(nameOf(connector.rootUri, object.path)) !== null;
}

async function readBytes(
  { connector, object, signal }: ContentRequest,
  range: Required<ByteRange>,
): Promise<Uint8Array<ArrayBuffer>> {
  const content = await connector.read(object, signal, range);
  return (await collectRange(content, range, range.end - range.start)) ?? new Uint8Array();
}

/** Decodes the bytes without partial characters at their start and end. */
function decodeRange(bytes: Uint8Array, encoding: TextEncoding, start: number): string {
  const from =
    encoding === 'utf-8' ? continuationBytes(bytes) : partialUnitBytes(bytes, encoding, start);
  return decoderOf(encoding).write(bytes.subarray(from));
}

/** Counts the leading bytes that belong to the previous character; 0 if unknown. */
function partialUnitBytes(bytes: Uint8Array, encoding: TextEncoding, start: number): number {
  if (start === 0) return 0;
  if (encoding.startsWith('utf-16')) return start % 2;
  if (encoding.startsWith('utf-32')) return (4 - (start % 4)) % 4;
  if (!/^(?:shift_jis|euc-|gb|big5)/.test(encoding)) return 0;
  // Two-byte characters never end in these bytes.
  return Math.max(
    0,
    bytes.subarray(0, maxScanBytes).findIndex((byte) => byte < 0x30),
  );
}

/** Counts the leading continuation bytes of UTF-8. */
function continuationBytes(bytes: Uint8Array): number {
  const lead = bytes.subarray(0, 4).findIndex((byte) => (byte & 0xc0) !== 0x80);
  return Math.max(0, lead);
}
