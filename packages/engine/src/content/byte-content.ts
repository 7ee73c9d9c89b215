import type { Content } from '@trove/core';
import type { ObjectBytes } from './object-text.js';
import type { Share } from './read-budget.js';
import { nameOf, type Reading } from './reading.js';
import { decodePieces, type TextPieces } from './text-pieces.js';
import { wholeBytes } from './whole-bytes.js';

/** At most, in any encoding. */
const bytesPerChar = 4;

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

  /** Its text has at least this many characters, by the size that its source says. */
  get charsAtLeast(): number {
    return Math.floor((this.#reading.object.size ?? 0) / bytesPerChar);
  }

  /** The text that `textOf` makes of all bytes. Throws `not_supported` for a binary object. */
  async *text(): TextPieces {
    const share = await this.#reserve();
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
    const share = await this.#reserve();
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

  #reserve(): Promise<Share> {
    const { budget, use, object, signal } = this.#reading;
    return budget.reserve(use, object.size, signal);
  }

  /** The only place where the bytes of an object come from. */
  async #read(): Promise<Content> {
    const { connector, object, signal } = this.#reading;
    const { bytes, mediaType } = await connector.read(object.path, signal);
    return { bytes, mediaType: mediaType ?? object.mediaType ?? null };
  }
}
