import { decodeAs } from './decode.js';
import {
  asciiLength,
  sampleBytes,
  sniffSample,
  sniffStart,
  startBytes,
  type Sniffed,
} from './sniff.js';

/** Thrown by `decodeStream` when the bytes turn out not to be text. */
export class NotTextError extends Error {
  override readonly name = 'NotTextError';
}

/**
 * Decodes a stream of bytes to text in pieces of arbitrary length; together they equal what `decodeText` makes of all
 * the bytes, but only a little is held in memory. Throws `NotTextError` for binary data: usually before the first
 * piece, later if the data changes after a text start. Closes the stream when the consumer stops early.
 */
export async function* decodeStream(
  stream: AsyncIterable<Uint8Array>,
): AsyncGenerator<string, void, undefined> {
  const bytes = stream[Symbol.asyncIterator]();
  try {
    const start = await take(bytes, startBytes);
    const told = sniffStart(start.subarray(0, startBytes));
    if (told === null) yield* decodePlain(start, bytes);
    else yield* decodeRest(told, start.subarray(told.bomLength), bytes);
  } finally {
    await bytes.return?.();
  }
}

/** ASCII reads the same in every remaining encoding; the first bytes beyond it decide between them. */
async function* decodePlain(
  start: Uint8Array,
  bytes: AsyncIterator<Uint8Array>,
): AsyncGenerator<string, void, undefined> {
  for (let piece: Uint8Array | null = start; piece !== null; piece = await next(bytes)) {
    const plain = asciiLength(piece);
    if (plain > 0) yield Buffer.from(piece.buffer, piece.byteOffset, plain).toString('latin1');
    if (plain === piece.length) continue;
    const sample = await take(bytes, sampleBytes + 1, piece.subarray(plain));
    const sniffed = sniffSample(sample.subarray(0, sampleBytes), sample.length > sampleBytes);
    yield* decodeRest(sniffed, sample, bytes);
    return;
  }
}

async function* decodeRest(
  sniffed: Sniffed,
  start: Uint8Array,
  bytes: AsyncIterator<Uint8Array>,
): AsyncGenerator<string, void, undefined> {
  if (sniffed.binary) throw new NotTextError();
  const decode = decoderOf(sniffed.encoding);
  for (let piece: Uint8Array | null = start; piece !== null; piece = await next(bytes)) {
    const text = decode(piece);
    if (text !== '') yield text;
  }
  const last = decode(null);
  if (last !== '') yield last;
}

/** Decodes piece by piece; null flushes what the last piece left incomplete. */
function decoderOf(encoding: Sniffed['encoding']): (piece: Uint8Array | null) => string {
  if (encoding === 'latin1') {
    return (piece) =>
      piece === null ? '' : decodeAs(piece, { binary: false, encoding, bomLength: 0 });
  }
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  return (piece) => (piece === null ? decoder.decode() : decoder.decode(piece, { stream: true }));
}

/** At least this many bytes, or all that are left; `begun` comes first. */
async function take(
  bytes: AsyncIterator<Uint8Array>,
  count: number,
  begun: Uint8Array = new Uint8Array(),
): Promise<Uint8Array> {
  const parts = [begun];
  let size = begun.length;
  while (size < count) {
    const piece = await next(bytes);
    if (piece === null) break;
    parts.push(piece);
    size += piece.length;
  }
  return parts.length === 1 ? begun : Buffer.concat(parts);
}

async function next(bytes: AsyncIterator<Uint8Array>): Promise<Uint8Array | null> {
  const step = await bytes.next();
  return step.done === true ? null : step.value;
}
