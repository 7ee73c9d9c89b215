import { decodeStream, NotTextError } from '@trove/core/content';
import { TroveError, type Content } from '@trove/core';

/** A text in pieces of arbitrary length. */
export type TextPieces = AsyncIterable<string>;

/** Bytes decoded in one go; bounds how long the event loop is blocked and how much text is in memory. */
const decodedAtOnce = 64 * 1024;

/** Decodes bytes piece by piece. Throws `not_supported` if they are no text; `path` is for the message. */
export async function* decodePieces(content: Content, path: string): TextPieces {
  try {
    yield* decodeStream(smallPieces(content));
  } catch (error) {
    throw error instanceof NotTextError ? binary(path) : error;
  }
}

async function* smallPieces({ bytes }: Content): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of bytes instanceof Uint8Array ? [bytes] : bytes) {
    for (let at = 0; at < piece.length; at += decodedAtOnce) {
      yield piece.subarray(at, at + decodedAtOnce);
    }
  }
}

function binary(path: string): TroveError {
  return new TroveError('not_supported', `${path === '' ? 'The object' : path} is not a text`, {
    suggestions: ['See its facts with `cat --meta`.'],
  });
}
