import { TroveError } from '@trove/core';
import { decodeText } from '@trove/text/encodings';
import { mediaTypeOf } from '@trove/text/media-types';
import type { ConversionService } from '@trove/runtime';

export type GraphConversions = Pick<ConversionService, 'findConverterKey' | 'convert'>;

export interface FileContent {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The file name, whose extension tells its type. */
  readonly name: string;
  /** The sender's media type, or null. */
  readonly mediaType: string | null;
}

/** Types that say nothing about the content. */
const genericMediaTypes: ReadonlySet<string> = new Set([
  'application/octet-stream',
  'binary/octet-stream',
]);

/**
 * Returns the text of a file, with documents as Markdown. Throws `not_supported` for other binary files, and conversion
 * errors.
 */
export async function extractText(
  conversions: GraphConversions,
  { bytes, name, mediaType }: FileContent,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly title: string | null }> {
  const stated = essence(mediaType);
  const found = mediaTypeOf(name, bytes.subarray(0, 4096));
  const converted = conversions.findConverterKey(found) ?? conversions.findConverterKey(stated);
  if (converted !== null) {
    const { markdown, title } = await conversions.convert({ bytes, mediaType: converted }, signal);
    return { text: new TextDecoder().decode(markdown), title };
  }
  const decoded = decodeText(bytes);
  if (decoded === null) throw new TroveError('not_supported', 'The file is not a text');
  return { text: decoded.text, title: null };
}

function essence(mediaType: string | null): string | null {
  const type = mediaType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return type === '' || genericMediaTypes.has(type) ? null : type;
}

/** Reads all bytes of a stream. Throws `payload_too_large` beyond the limit. */
export async function readBytes(
  pieces: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > maxBytes) {
      throw new TroveError('payload_too_large', `The document has more than ${maxBytes} bytes`);
    }
    chunks.push(piece);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const piece of chunks) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
