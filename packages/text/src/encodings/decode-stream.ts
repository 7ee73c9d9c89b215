import { decoderOf, type TextEncoding } from './encodings.js';
import {
  contextBytes,
  jisSampleBytes,
  hasCrLines,
  isJis,
  plainLength,
  sampleBytes,
  sniffSample,
  sniffStart,
  type SniffResult,
  type SniffOptions,
} from './sniff.js';
import { declarationBytes } from './declared-encoding.js';

/** Thrown by `decodeStream` for bytes that are not text. */
export class NotTextError extends Error {
  override readonly name = 'NotTextError';
}

/**
 * Decodes a stream of bytes to pieces of text of any length. Together they equal the result of `decodeText`, but little
 * is held in memory. Throws `NotTextError` for binary data, usually before the first piece, or later if the data
 * changes after a text start. Closes the stream if the consumer stops early.
 */
export async function* decodeStream(
  stream: AsyncIterable<Uint8Array>,
  { encoding }: Pick<SniffOptions, 'encoding'> = {},
): AsyncGenerator<string, void, undefined> {
  const bytes = stream[Symbol.asyncIterator]();
  try {
    const start = await readAtLeast(bytes, declarationBytes);
    const result = sniffStart(start, encoding);
    const pieces =
      result === null
        ? decodePlain(start, bytes)
        : decodeRest(result, start.subarray(result.bomLength), bytes);
    yield* hasCrLines(start) ? convertCrStream(pieces) : pieces;
  } finally {
    await bytes.return?.();
  }
}

/** Decodes ASCII, which is equal in all remaining encodings. The first other bytes determine the encoding. */
async function* decodePlain(
  start: Uint8Array,
  bytes: AsyncIterator<Uint8Array>,
): AsyncGenerator<string, void, undefined> {
  let context: Uint8Array = new Uint8Array();
  for (let piece: Uint8Array | null = start; piece !== null; piece = await next(bytes)) {
    for (let rest = piece; rest.length > 0;) {
      const plain = rest.subarray(0, plainLength(rest));
      if (plain.length > 0) yield asciiOf(plain);
      context = Buffer.concat([context, plain.subarray(-contextBytes)]).subarray(-contextBytes);
      if (plain.length === rest.length) break;
      const other = await readAtLeast(bytes, sampleBytes + 1, rest.subarray(plain.length));
      if ((other[0] ?? 0) >= 0x80) {
        yield* decodeRest(sniffSampleAt(start, context, other), other, bytes);
        return;
      }
      if (isJis(other.subarray(0, jisSampleBytes))) {
        yield* decodeRest({ binary: false, encoding: 'iso-2022-jp' }, other, bytes);
        return;
      }
      yield asciiOf(other.subarray(0, 1));
      rest = other.subarray(1);
    }
  }
}

function sniffSampleAt(start: Uint8Array, context: Uint8Array, sample: Uint8Array): SniffResult {
  const around = Buffer.concat([context, sample.subarray(0, sampleBytes)]);
  return sniffSample(start, around, sample.length > sampleBytes);
}

function asciiOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

async function* decodeRest(
  { binary, encoding }: { readonly binary: boolean; readonly encoding: TextEncoding },
  start: Uint8Array,
  bytes: AsyncIterator<Uint8Array>,
): AsyncGenerator<string, void, undefined> {
  if (binary) throw new NotTextError();
  const decoder = decoderOf(encoding);
  for (let piece: Uint8Array | null = start; piece !== null; piece = await next(bytes)) {
    const text = decoder.write(piece);
    if (text !== '') yield text;
  }
  const last = decoder.end();
  if (last !== '') yield last;
}

/** Replaces lone `\r` by `\n` in a stream. */
async function* convertCrStream(
  pieces: AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  let pending = '';
  for await (const piece of pieces) {
    const text = pending + piece;
    pending = text.endsWith('\r') ? '\r' : '';
    const whole = convertCr(pending === '' ? text : text.slice(0, -1));
    if (whole !== '') yield whole;
  }
  if (pending !== '') yield '\n';
}

/** Replaces each lone `\r` by `\n`. */
export function convertCr(text: string): string {
  return text.replace(/\r(?!\n)/g, '\n');
}

/** Reads at least `count` bytes, or all that are left. The result begins with `firstBytes`. */
async function readAtLeast(
  bytes: AsyncIterator<Uint8Array>,
  count: number,
  firstBytes: Uint8Array = new Uint8Array(),
): Promise<Uint8Array> {
  const parts = [firstBytes];
  let size = firstBytes.length;
  while (size < count) {
    const piece = await next(bytes);
    if (piece === null) break;
    parts.push(piece);
    size += piece.length;
  }
  return parts.length === 1 ? firstBytes : Buffer.concat(parts);
}

async function next(bytes: AsyncIterator<Uint8Array>): Promise<Uint8Array | null> {
  const step = await bytes.next();
  return step.done === true ? null : step.value;
}
