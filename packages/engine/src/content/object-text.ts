import { TroveError, type Content } from '@trove/core';
import { decodeStream, NotTextError } from '@trove/core/content';
import type { GuardedConnector } from '../connectors/guarded-connector.js';
import type { ReadBudget, Share } from './read-budget.js';

/** An object's text in pieces of arbitrary length; the same text that was chunked. */
export type TextPieces = AsyncIterable<string>;

/** Bytes decoded in one go; bounds how long the event loop is blocked and how much text is in memory. */
const decodedAtOnce = 64 * 1024;

/** The text of an object made of bytes, which count against the budget while being read. */
export async function* readText(
  budget: ReadBudget,
  connector: GuardedConnector,
  { path, size }: { readonly path: string; readonly size: number | null },
  use: Parameters<ReadBudget['reserve']>[0],
  signal: AbortSignal,
): TextPieces {
  const share = await budget.reserve(use, size, signal);
  try {
    yield* decodePieces(await readInto(share, connector, path, signal), path);
  } finally {
    share.release();
  }
}

async function readInto(
  share: Share,
  connector: GuardedConnector,
  path: string,
  signal: AbortSignal,
): Promise<Content> {
  const content = await connector.read(path, signal);
  if (!(content.bytes instanceof Uint8Array)) share.ofStream();
  return content;
}

/** Decodes an object piece by piece. Throws `not_supported` for a binary one. */
async function* decodePieces(content: Content, path: string): TextPieces {
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
