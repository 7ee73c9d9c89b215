import { TroveError, type Content } from '@trove/core';
import { decodeStream, NotTextError } from '@trove/core/content';
import type { Share } from './read-budget.js';
import type { Reading, TextPieces } from './reading.js';
import { nameOf, type ObjectBytes } from './what-it-is.js';

/** At most, in any encoding. */
const bytesPerChar = 4;
/** Bytes decoded in one go; bounds how long the event loop is blocked and how much text is in memory. */
const decodedAtOnce = 64 * 1024;

/** The bytes of an object; the budget counts them until they are released. */
export interface HeldBytes {
  readonly object: ObjectBytes;
  readonly release: () => void;
}

/** An object made of bytes: its text in pieces, or all its bytes for a worker thread. */
export class ByteContent {
  readonly form = 'bytes';
  readonly #reading: Reading;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** Its text has at least this many characters, by the source's size: only true of bytes decoded as they come. */
  get charsAtLeast(): number {
    return Math.floor((this.#reading.object.size ?? 0) / bytesPerChar);
  }

  /** The text that `textOf` makes of all bytes. Throws `not_supported` for a binary object. */
  async *text(): TextPieces {
    const share = await this.#reserve(this.#reading.object.size);
    try {
      const content = await this.#read();
      if (!(content.bytes instanceof Uint8Array)) share.ofStream();
      yield* decodePieces(content, this.#reading.object.path);
    } finally {
      share.release();
    }
  }

  /** What a worker thread needs; null if there are more bytes than `limit`. */
  async bytes(limit: number): Promise<HeldBytes | null> {
    const { connector, object } = this.#reading;
    const { kind = null, path, size } = object;
    if ((size ?? 0) > limit) return null;
    const share = await this.#reserve(size ?? limit);
    let held: HeldBytes | null = null;
    try {
      const content = await this.#read();
      const bytes = await wholeBytes(content, size ?? 0, limit);
      const { mediaType = null } = content;
      const name = nameOf(connector.rootUri, path);
      if (bytes !== null)
        held = { object: { bytes, name, kind, mediaType }, release: share.release };
      return held;
    } finally {
      if (held === null) share.release();
    }
  }

  #reserve(size: number | null): Promise<Share> {
    const { budget, use, signal } = this.#reading;
    return budget.reserve(use, size, signal);
  }

  /** Where the bytes of every object come from; whatever turns them into other bytes belongs here. */
  async #read(): Promise<Content> {
    const { connector, object, signal } = this.#reading;
    const { bytes, mediaType } = await connector.read(object.path, signal);
    return { bytes, mediaType: mediaType ?? object.mediaType ?? null };
  }
}

/**
 * All bytes, in memory of their own, as the connector may keep what it returned; null if there are more than `limit`.
 * `expected` is their number by what the source says.
 */
export async function wholeBytes(
  { bytes }: Content,
  expected: number,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  let all = new Uint8Array(expected);
  let filled = 0;
  for await (const piece of bytes instanceof Uint8Array ? [bytes] : bytes) {
    const end = filled + piece.length;
    if (end > limit) return null;
    if (end > all.length) {
      const larger = new Uint8Array(Math.min(limit, Math.max(end, 2 * all.length)));
      larger.set(all.subarray(0, filled));
      all = larger;
    }
    all.set(piece, filled);
    filled = end;
  }
  return all.subarray(0, filled);
}

/** Decodes bytes piece by piece. Throws `not_supported` if they are no text; `path` is for the message. */
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
    suggestions: ['See its facts: `cat` with `meta`.'],
  });
}
