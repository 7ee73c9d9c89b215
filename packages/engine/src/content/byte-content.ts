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

/** The maximum, in any encoding. */
const bytesPerChar = 4;
/** Bytes decoded per step. Bounds the text in memory and the time that the event loop is blocked. */
const maxDecodeBytes = 64 * 1024;

/** The bytes of an object. They count against the read budget until `release`. */
export interface ReservedBytes {
  readonly object: ObjectBytes;
  readonly release: () => void;
}

/** An object that consists of bytes. Returns its text in pieces, or all bytes for a worker thread. */
export class ByteContent {
  readonly form = 'bytes';
  readonly #request: ContentRequest;

  constructor(request: ContentRequest) {
    this.#request = request;
  }

  /** A lower bound for the characters of the text, from the object's size. 0 for converted and compressed objects. */
  get minChars(): number {
    if (this.#isLikelyConverted || this.#nameWithin !== null) return 0;
    return Math.floor((this.#request.object.size ?? 0) / bytesPerChar);
  }

  /** Decodes the object piece by piece. Throws `not_supported` for a binary object. */
  async *text(): TextPieces {
    const share = await this.#reserve(this.#request.object.size);
    try {
      const { bytes, conversion } = await this.#read();
      if (!(bytes instanceof Uint8Array)) share.shrinkToStream();
      if (conversion === null) yield* decodePieces(bytes, this.#request);
      else yield* decodeMarkdown(bytes);
    } finally {
      share.release();
    }
  }

  /** Reads the last lines, from the end of the object where possible. Throws `object_too_large_for_cat`. */
  async lastLines(count: number, maxChars: number): Promise<string> {
    const share = await this.#reserve(bytesPerChar * maxChars);
    try {
      const end = await readTextEnd(this.#request, count, bytesPerChar * maxChars);
      if (end !== null && end.lines < count) throw textTooLarge(maxChars);
      if (end !== null) return await readLastLines(piecesOf(end.text), count, maxChars);
    } finally {
      share.release();
    }
    return readLastLines(this.text(), count, maxChars);
  }

  /** Decodes a range of at most `maxBytes` bytes. Throws `not_supported` for a binary object. */
  async textOfRange(range: Required<ByteRange>, maxBytes: number): Promise<string> {
    const share = await this.#reserve(maxBytes);
    try {
      const text = await readTextRange(this.#request, range, maxBytes);
      if (text !== null) return text;
      throw binaryError(this.#request.object.path);
    } finally {
      share.release();
    }
  }

  /** Reads all bytes for a worker thread. Returns null if the object exceeds `limit` bytes. */
  async bytes(limit: number): Promise<ReservedBytes | null> {
    const { connector, object, encoding } = this.#request;
    const { kind = null, path, size } = object;
    if ((size ?? 0) > limit && !this.#isLikelyConverted) return null;
    const share = await this.#reserve(size ?? limit);
    let reserved: ReservedBytes | null = null;
    try {
      const { mediaType, conversion, ...read } = await this.#read();
      const bytes = await collectBytes(read, size ?? 0, limit, share.growTo);
      const name = this.#nameWithin ?? nameOf(connector.rootUri, path);
      if (bytes !== null) {
        reserved = {
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
      return reserved;
    } finally {
      if (reserved === null) share.release();
    }
  }

  #reserve(size: number | null): Promise<BudgetShare> {
    const { budget, purpose, signal } = this.#request;
    return budget.reserve(purpose, size, signal);
  }

  /** The name of the file inside a compressed object; null if its own name does not show that it is compressed. */
  get #nameWithin(): string | null {
    const { connector, object, decompression } = this.#request;
    return decompression === null ? null : decompressedName(nameOf(connector.rootUri, object.path));
  }

  get #isLikelyConverted(): boolean {
    const { connector, conversions, object } = this.#request;
    if (conversions === null) return false;
    return isLikelyConverted(conversions, connector.rootUri, object);
  }

  /** Reads, decompresses and converts. All changes to an object's bytes belong here. */
  async #read(): Promise<ContentBytes> {
    const { connector, object, decompression, signal } = this.#request;
    const content = await connector.read(object, signal);
    if (decompression === null) return convertContent(this.#request, content);
    const name = nameOf(connector.rootUri, object.path);
    const inner = await decompressContent(object, name, content, decompression, signal);
    return convertContent({ ...this.#request, object: inner.object }, inner.content);
  }
}

async function* piecesOf(text: string): TextPieces {
  yield text;
}

/** Decodes bytes piece by piece. Throws `not_supported` if they are not text. */
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

/** Converters return UTF-8, so no encoding is detected and a byte order mark is kept. */
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
    how === null
      ? 'Read its metadata with `cat` and `meta`.'
      : `${how[0]?.toUpperCase()}${how.slice(1)}`;
  return new TroveError('not_supported', `${path === '' ? 'The object' : path} is not text`, {
    suggestions: [suggestion],
  });
}
