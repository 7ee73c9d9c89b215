import { TroveError } from '@trove/core';
import { decodeText } from '@trove/text/encodings';
import { mediaTypeOf } from '@trove/text/media-types';
import type { ConversionService } from '@trove/runtime';

export type GraphConversions = Pick<ConversionService, 'findConverterKey' | 'convert'>;

export interface FileContent {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Of the file, for what its ending tells. */
  readonly name: string;
  /** What who sent it says it is; null when nobody does. */
  readonly mediaType: string | null;
}

/** Says nothing about the content. */
const genericMediaTypes: ReadonlySet<string> = new Set([
  'application/octet-stream',
  'binary/octet-stream',
]);

/** The text of a file: documents as Markdown. Throws `not_supported` for what is no text, and what converting throws. */
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
  if (decoded === null) throw new TroveError('not_supported', 'It is not a text');
  return { text: decoded.text, title: null };
}

function essence(mediaType: string | null): string | null {
  const type = mediaType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return type === '' || genericMediaTypes.has(type) ? null : type;
}

/** All bytes of a stream. Throws `payload_too_large` beyond a limit. */
export async function readBytes(
  pieces: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const held: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > maxBytes) {
      throw new TroveError('payload_too_large', `It has more than ${maxBytes} bytes`);
    }
    held.push(piece);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const piece of held) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
