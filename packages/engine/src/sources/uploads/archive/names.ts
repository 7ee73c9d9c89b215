import { isUtf8 } from 'node:buffer';
import { decodeBytes, sniff } from '@trove/text/encodings';
import { Header, Pax } from 'tar';
import { uploadLimits } from '../limits.js';

const blockBytes = 512;
/** After this many bytes of names, the encoding no longer changes. */
const sampleBytes = 4096;
/** Members with metadata about the next member. The two expressions below match those that may contain its name. */
const metaTypes: ReadonlySet<string> = new Set([
  'ExtendedHeader',
  'OldExtendedHeader',
  'GlobalExtendedHeader',
  'NextFileHasLongPath',
  'OldGnuLongPath',
  'NextFileHasLongLinkpath',
]);
const longPath = /^(?:NextFileHasLongPath|OldGnuLongPath)$/;
const extended = /^(?:Old)?ExtendedHeader$/;

/**
 * Adds a header with the name in UTF-8 before each member whose name has another encoding, because the parser reads all
 * names as UTF-8. `blocks` must be whole blocks. Each is processed before the next is read.
 */
export async function* withUnicodeNames(
  blocks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const names = new MemberNames();
  for await (const piece of blocks) {
    let from = 0;
    for (let at = 0; at < piece.byteLength;) {
      const header = names.next(piece, at);
      if (header !== null) {
        if (at > from) yield piece.subarray(from, at);
        yield header;
        from = at;
      }
      at += names.take(piece, at);
    }
    if (piece.byteLength > from) yield piece.subarray(from);
  }
}

/** Tracks the members of an archive in the same way as the parser. */
class MemberNames {
  readonly #decoder = new NameDecoder();
  /** The remaining bytes of the current member, with padding. */
  #left = 0;
  #type = '';
  #size = 0;
  /** The content of a metadata member. */
  #content: Buffer[] = [];
  #extended: Pax | undefined;
  #global: Pax | undefined;
  #path: Uint8Array | undefined;
  #hasEnded = false;

  /** Returns the header to add before the member that begins at `at`; null if it needs none. */
  next(piece: Uint8Array, at: number): Uint8Array | null {
    if (this.#left > 0 || this.#hasEnded) return null;
    const block = Buffer.from(piece.buffer, piece.byteOffset + at, blockBytes);
    const header = new Header(block, 0, this.#extended, this.#global);
    // The parser refuses a damaged archive.
    this.#hasEnded = !header.nullBlock && !header.cksumValid;
    if (header.nullBlock || this.#hasEnded) return null;
    this.#type = header.type;
    this.#size = header.size ?? 0;
    this.#left = blockBytes + Math.ceil(this.#size / blockBytes) * blockBytes;
    if (metaTypes.has(this.#type)) return null;
    const path = this.#path ?? pathIn(block);
    this.#path = undefined;
    this.#extended = undefined;
    const decoded = isUtf8(path) ? null : this.#decoder.decode(path);
    return decoded === null ? null : new Pax({ path: decoded }).encode();
  }

  /** Consumes a piece from `at` to the end of the member. Returns the number of bytes. */
  take(piece: Uint8Array, at: number): number {
    if (this.#left === 0) return this.#hasEnded ? piece.byteLength - at : blockBytes;
    const length = Math.min(this.#left, piece.byteLength - at);
    if (metaTypes.has(this.#type) && this.#size <= uploadLimits.headerBytes) {
      this.#content.push(Buffer.from(piece.subarray(at, at + length)));
    }
    this.#left -= length;
    if (this.#left === 0) this.#endMember();
    return length;
  }

  #endMember(): void {
    if (this.#content.length === 0) return;
    const content = Buffer.concat(this.#content).subarray(blockBytes, blockBytes + this.#size);
    this.#content = [];
    if (this.#type === 'GlobalExtendedHeader') {
      this.#global = Pax.parse(content.toString(), this.#global, true);
    } else if (extended.test(this.#type)) {
      this.#extended = Pax.parse(content.toString(), this.#extended, false);
      this.#path = pathRecord(content) ?? this.#path;
    } else if (longPath.test(this.#type)) {
      this.#path = upToNul(content);
    }
  }
}

/** Decodes names with the most likely encoding of all names so far. */
class NameDecoder {
  #sample = Buffer.alloc(0);
  #encoding = 'utf-8';

  /** Null for bytes that are not text. */
  decode(name: Uint8Array): string | null {
    if (this.#sample.byteLength < sampleBytes) {
      this.#sample = Buffer.concat([this.#sample, name, Buffer.from('\n')]);
      const { binary, encoding } = sniff(this.#sample);
      if (binary) return null;
      this.#encoding = encoding;
    }
    return decodeBytes(name, this.#encoding);
  }
}

/** Returns the name in the header's own fields, with the folders from the `prefix` field. */
function pathIn(header: Buffer): Uint8Array {
  const name = upToNul(header.subarray(0, 100));
  const hasPrefix = header.toString('latin1', 257, 265) === 'ustar\u000000';
  const prefix = upToNul(header.subarray(345, header[475] === 0 ? 475 : 500));
  if (!hasPrefix || prefix.byteLength === 0) return name;
  return Buffer.concat([prefix, Buffer.from('/'), name]);
}

/** Returns the value of the last record `length path=value`. */
function pathRecord(content: Buffer): Uint8Array | undefined {
  let path: Uint8Array | undefined;
  for (let at = 0; at < content.byteLength;) {
    const length = Number.parseInt(content.toString('latin1', at, at + 10), 10);
    if (!(length > 0)) return path;
    const record = content.subarray(at, at + length);
    const key = /^\d+ path=/.exec(record.toString('latin1', 0, 20))?.[0];
    if (key !== undefined) path = record.subarray(key.length, -1);
    at += length;
  }
  return path;
}

function upToNul(bytes: Buffer): Buffer {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}
