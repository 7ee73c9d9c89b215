import { TroveError, type Content } from '@trove/core';
import { decodeAs, decodeText, sniff, type Sniffed } from '@trove/core/media';

/** An object's text in pieces, each ending anywhere; the same text that was cut into chunks. */
export type TextPieces = AsyncIterable<string>;

/**
 * Decodes an object. What has at most `wholeBytes` is decoded as a whole, exactly as for indexing; what is larger
 * is streamed in the encoding of its first bytes. Throws `not_supported` for a binary object.
 */
export async function* decodePieces(
  content: Content,
  path: string,
  wholeBytes: number,
): TextPieces {
  const { start, rest } = await splitAt(content, wholeBytes);
  if (rest === null) {
    const decoded = decodeText(start);
    if (decoded === null) throw binary(path);
    yield decoded.text;
    return;
  }
  try {
    const sniffed = sniff(start, { prefix: true });
    if (sniffed.binary) throw binary(path);
    yield* streamed(start, rest, sniffed);
  } finally {
    // Whoever stops half-way lets go of the source, too.
    await rest.return?.();
  }
}

async function splitAt(
  content: Content,
  bytes: number,
): Promise<{ start: Uint8Array; rest: AsyncIterator<Uint8Array> | null }> {
  if (content.bytes instanceof Uint8Array) return { start: content.bytes, rest: null };
  const iterator = content.bytes[Symbol.asyncIterator]();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let step = await iterator.next(); step.done !== true; step = await iterator.next()) {
    parts.push(step.value);
    size += step.value.byteLength;
    if (size > bytes) return { start: Buffer.concat(parts), rest: iterator };
  }
  return { start: Buffer.concat(parts), rest: null };
}

async function* streamed(
  start: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
  { encoding, bomLength }: Sniffed,
): TextPieces {
  if (encoding === 'latin1') {
    const plain = (bytes: Uint8Array): string =>
      decodeAs(bytes, { binary: false, encoding, bomLength: 0 });
    yield plain(start);
    for (let step = await rest.next(); step.done !== true; step = await rest.next())
      yield plain(step.value);
    return;
  }
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  yield decoder.decode(start.subarray(bomLength), { stream: true });
  for (let step = await rest.next(); step.done !== true; step = await rest.next()) {
    yield decoder.decode(step.value, { stream: true });
  }
  yield decoder.decode();
}

function binary(path: string): TroveError {
  return new TroveError('not_supported', `${path === '' ? 'The object' : path} is not a text`, {
    suggestions: ['See its facts with `cat --meta`.'],
  });
}
