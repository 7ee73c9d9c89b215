import { TroveError, type ByteRange, type Content } from '@trove/core';
import { decodeStream, NotTextError } from '@trove/text/encodings';
import { decompressedName, decompressContent } from './compressed-content.js';
import { convertContent, isLikelyConverted } from './converted-content.js';
import { type ContentBytes } from './content-bytes.js';
import { readTextEnd } from './text-end.js';
import { conversionHint } from './legacy-office.js';
import { readLastLines, textTooLarge } from './text-lines.js';
import type { BudgetShare } from './read-budget.js';
import type { ContentRequest, TextPieces } from './content-request.js';
import { readTextRange } from './text-range.js';
import { nameOf } from '../sources/objects/stated-type.js';
import { type ObjectBytes } from './classification.js';
import { collectBytes } from './byte-buffer.js';

/** At most, in any encoding. */
const bytesPerChar = 4;
/** Bytes decoded in one go; bounds how long the event loop is blocked and how much text is in memory. */
const maxDecodeBytes = 64 * 1024;

/** The bytes of an object; the budget counts them until they are released. */
export interface ReservedBytes {
  readonly object: ObjectBytes;
  readonly release: () => void;
}

/** An object made of bytes: its text in pieces, or all its bytes for a worker thread. */
export class ByteContent {
  readonly form = 'bytes';
  readonly #reading: ContentRequest;

  constructor(reading: ContentRequest) {
    this.#reading = reading;
  }

  /** Its text has at least this many characters, by the source's size: only true of bytes decoded as they come. */
  get minChars(): number {
    if (this.#isLikelyConverted || this.#nameWithin !== null) return 0;
    return Math.floor((this.#reading.object.size ?? 0) / bytesPerChar);
  }

  /** The text that `textOf` makes of all bytes. Throws `not_supported` for a binary object. */
  async *text(): TextPieces {
    const share = await this.#reserve(this.#reading.object.size);
    try {
      const { bytes, conversion } = await this.#read();
      if (!(bytes instanceof Uint8Array)) share.shrinkToStream();
      if (conversion === null) yield* decodePieces(bytes, this.#reading);
      else yield* decodeMarkdown(bytes);
    } finally {
      share.release();
    }
  }

  /** The last lines, read from the end where that can be. Throws `object_too_large_for_cat`. */
  async lastLines(count: number, maxChars: number): Promise<string> {
    const share = await this.#reserve(bytesPerChar * maxChars);
    try {
      const end = await readTextEnd(this.#reading, count, bytesPerChar * maxChars);
      if (end !== null && end.lines < count) throw textTooLarge(maxChars);
      if (end !== null) return await readLastLines(piecesOf(end.text), count, maxChars);
    } finally {
      share.release();
    }
    return readLastLines(this.text(), count, maxChars);
  }

  /** The text of a range of bytes, which must not be longer than `maxBytes`. Throws `not_supported` for a binary object. */
  async textOfRange(range: Required<ByteRange>, maxBytes: number): Promise<string> {
    const share = await this.#reserve(maxBytes);
    try {
      const text = await readTextRange(this.#reading, range, maxBytes);
      if (text !== null) return text;
      throw binaryError(this.#reading.object.path);
    } finally {
      share.release();
    }
  }

  /** What a worker thread needs; null if there are more bytes than `limit`. */
  async bytes(limit: number): Promise<ReservedBytes | null> {
    const { connector, object, encoding } = this.#reading;
    const { kind = null, path, size } = object;
    if ((size ?? 0) > limit && !this.#isLikelyConverted) return null;
    const share = await this.#reserve(size ?? limit);
    let held: ReservedBytes | null = null;
    try {
      const { mediaType, conversion, ...read } = await this.#read();
      const bytes = await collectBytes(read, size ?? 0, limit, share.growTo);
      const name = this.#nameWithin ?? nameOf(connector.rootUri, path);
      if (bytes !== null) {
        held = {
          object: {
            bytes,
            name,
            kind: this.#nameWithin === null ? kind : null,
            mediaType,
            conversion,
            encoding,
          },
          release: share.release,
        };
      }
      return held;
    } finally {
      if (held === null) share.release();
    }
  }

  #reserve(size: number | null): Promise<BudgetShare> {
    const { budget, purpose: use, signal } = this.#reading;
    return budget.reserve(use, size, signal);
  }

  /** The name of what a compressed object contains, as far as its own name tells. */
  get #nameWithin(): string | null {
    const { connector, object, decompression } = this.#reading;
    return decompression === null ? null : decompressedName(nameOf(connector.rootUri, object.path));
  }

  get #isLikelyConverted(): boolean {
    const { connector, conversions, object } = this.#reading;
    if (conversions === null) return false;
    return isLikelyConverted(conversions, connector.rootUri, object);
  }

  /** Where the bytes of every object come from; whatever turns them into other bytes belongs here. */
  async #read(): Promise<ContentBytes> {
    const { connector, object, decompression, signal } = this.#reading;
    const content = await connector.read(object.path, signal);
    if (decompression === null) return convertContent(this.#reading, content);
    const name = nameOf(connector.rootUri, object.path);
    const inner = await decompressContent(object, name, content, decompression, signal);
    return convertContent({ ...this.#reading, object: inner.object }, inner.content);
  }
}

async function* piecesOf(text: string): TextPieces {
  yield text;
}

/** Decodes bytes piece by piece. Throws `not_supported` if they are no text. */
async function* decodePieces(
  bytes: Content['bytes'],
  { encoding, object }: Pick<ContentRequest, 'encoding' | 'object'>,
): TextPieces {
  try {
    yield* decodeStream(splitPieces(bytes), { encoding: encoding ?? undefined });
  } catch (error) {
    throw error instanceof NotTextError ? binaryError(object.path) : error;
  }
}

/** Nothing has to find out what it is: it is text in UTF-8, whatever it begins with. */
async function* decodeMarkdown(bytes: Content['bytes']): TextPieces {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for await (const piece of splitPieces(bytes)) yield decoder.decode(piece, { stream: true });
}

async function* splitPieces(bytes: Content['bytes']): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of bytes instanceof Uint8Array ? [bytes] : bytes) {
    for (let at = 0; at < piece.length; at += maxDecodeBytes) {
      yield piece.subarray(at, at + maxDecodeBytes);
    }
  }
}

function binaryError(path: string): TroveError {
  const how = conversionHint(path);
  const suggestion =
    how === null ? 'See its facts: `cat` with `meta`.' : `${how[0]?.toUpperCase()}${how.slice(1)}`;
  return new TroveError('not_supported', `${path === '' ? 'The object' : path} is not a text`, {
    suggestions: [suggestion],
  });
}
