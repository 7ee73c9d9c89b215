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
/** A smaller object is read from its beginning: that is one request to its source, and an answer for every encoding. */
const minObjectBytes = 1024 * kibi;
/** Tells what an object is, and its encoding unless it is all ASCII. */
const startBytes = 64 * kibi;
/** The end is read again, this many times as much, until it has as many lines as are wanted. */
const growth = 4;

/** The end of a text: whole lines. */
export interface TextEnd {
  readonly text: string;
  readonly lines: number;
}

/**
 * At least the last `lines` lines of a large text, or the last `maxBytes` of it, read from its end; null where only reading
 * from the beginning tells what it says: a source that gives no ranges, a document, an encoding that is no extension of
 * ASCII, doubtful bytes.
 */
export async function readTextEnd(
  reading: ContentRequest,
  lines: number,
  maxBytes: number,
): Promise<TextEnd | null> {
  const { size } = reading.object;
  if (size === null || size < minObjectBytes) return null;
  const start = await readRange(reading, 0, startBytes, startBytes);
  if (start === null) return null;
  const sniffed = sniff(start, { prefix: true, encoding: reading.encoding ?? undefined });
  const { binary, encoding, guessed, crLines } = sniffed;
  if (binary || crLines || !extendsAscii(encoding)) return null;
  if (guessed && firstNonAscii(start) > start.length - guessSampleBytes) return null;
  if (isConverted(reading, start)) return null;
  for (let wanted = startBytes; wanted <= maxBytes && wanted < size; wanted *= growth) {
    // A log may grow while it is read.
    const end = await readRange(reading, size - wanted, undefined, growth * maxBytes);
    const found = end === null ? null : textOf(end, encoding);
    if (found === null) return null;
    if (found.lines >= lines || wanted * growth > maxBytes) return found;
  }
  return null;
}

/** Null if the source gives no ranges, or more than `limit`. */
async function readRange(
  { connector, object, signal }: ContentRequest,
  start: number,
  end: number | undefined,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const range = end === undefined ? { start } : { start, end };
  const content = await connector.read(object.path, signal, range);
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

/** Without the line that the bytes begin in the middle of. */
function textOf(bytes: Uint8Array, encoding: TextEncoding): TextEnd | null {
  const lineEnd = bytes.indexOf(0x0a);
  const whole = bytes.subarray(lineEnd < 0 ? bytes.length : lineEnd + 1);
  if (whole.includes(0) || (encoding === 'utf-8' && !isUtf8(whole))) return null;
  const text = decodeBytes(whole, encoding);
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return { text, lines: text.endsWith('\n') || text === '' ? lines : lines + 1 };
}
