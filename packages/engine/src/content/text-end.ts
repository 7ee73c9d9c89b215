import { isUtf8 } from 'node:buffer';
import {
  decodeBytes,
  extendsAscii,
  sniff,
  guessSampleBytes,
  type TextEncoding,
} from '@trove/text/encodings';
import { mediaTypeOf } from '@trove/text/media-types';
import { collectRange } from './byte-range.js';
import type { ContentRequest } from './content-request.js';
import { nameOf } from '../sources/objects/stated-type.js';

const kibi = 1024;
/** Smaller objects are read from the start, in a single request and in any encoding. */
const minObjectBytes = 1024 * kibi;
/** Enough to classify an object and, unless it is ASCII so far, to detect its encoding. */
const startBytes = 64 * kibi;
/** The next read is larger by this factor if the last one had too few lines. */
const growth = 4;

/** The end of a text, in whole lines. */
export interface TextEnd {
  readonly text: string;
  readonly lines: number;
}

/**
 * Reads at least the last `lines` lines of a large text, or at most `maxBytes`, from its end.
 *
 * Returns null if the text must be read from its start. That applies to sources without ranges, to documents, and to
 * encodings that are uncertain or do not extend ASCII.
 */
export async function readTextEnd(
  request: ContentRequest,
  lines: number,
  maxBytes: number,
): Promise<TextEnd | null> {
  const { size } = request.object;
  if (size === null || size < minObjectBytes) return null;
  const start = await readRange(request, 0, startBytes, startBytes);
  if (start === null) return null;
  const sniffed = sniff(start, { prefix: true, encoding: request.encoding ?? undefined });
  const { binary, encoding, guessed, crLines } = sniffed;
  if (binary || crLines || !extendsAscii(encoding)) return null;
  if (guessed && firstNonAscii(start) > start.length - guessSampleBytes) return null;
  if (isConverted(request, start)) return null;
  for (let bytes = startBytes; bytes <= maxBytes && bytes < size; bytes *= growth) {
    // No end, because a log may grow while it is read.
    const end = await readRange(request, size - bytes, undefined, growth * maxBytes);
    const tail = end === null ? null : textOf(end, encoding);
    if (tail === null) return null;
    if (tail.lines >= lines || bytes * growth > maxBytes) return tail;
  }
  return null;
}

/** Returns null if the source does not support ranges or returns more than `limit` bytes. */
async function readRange(
  { connector, object, signal }: ContentRequest,
  start: number,
  end: number | undefined,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const range = end === undefined ? { start } : { start, end };
  const content = await connector.read(object, signal, range);
  if (content.start < start) {
    if (!(content.bytes instanceof Uint8Array))
      await content.bytes[Symbol.asyncIterator]().return?.();
    return null;
  }
  return collectRange(content, range, limit);
}

export function isConverted(
  { connector, conversions, object }: ContentRequest,
  start: Uint8Array,
): boolean {
  if (conversions === null) return false;
  const name = nameOf(connector.rootUri, object.path);
  return conversions.findConverterKey(object.mediaType ?? mediaTypeOf(name, start)) !== null;
}

function firstNonAscii(bytes: Uint8Array): number {
  return bytes.findIndex((byte) => byte >= 0x80);
}

/** Decodes the bytes without the partial first line. */
function textOf(bytes: Uint8Array, encoding: TextEncoding): TextEnd | null {
  const lineEnd = bytes.indexOf(0x0a);
  const whole = bytes.subarray(lineEnd < 0 ? bytes.length : lineEnd + 1);
  if (whole.includes(0) || (encoding === 'utf-8' && !isUtf8(whole))) return null;
  const text = decodeBytes(whole, encoding);
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return { text, lines: text.endsWith('\n') || text === '' ? lines : lines + 1 };
}
