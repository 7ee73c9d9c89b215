import { isUtf8 } from 'node:buffer';
import { decodeBytes, sniff } from '@trove/core/content';
import { Header, Pax } from 'tar';
import { uploadLimits } from '../limits.js';

const blockBytes = 512;
/** Bytes of names that tell the encoding of all further ones. */
const sampleBytes = 4096;
/** Types of members that say something about the next one, and the headers among them that may have its name. */
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
 * The blocks of a tar archive, with a header that has the name in UTF-8 before each member whose name is in another
 * encoding. The parser takes all names for UTF-8. `blocks` are whole ones; each is used before the next is asked for.
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

/** Follows the members of an archive as its parser does. */
class MemberNames {
  readonly #decoder = new NameDecoder();
  /** Bytes of the current member that are still to come, with padding. */
  #left = 0;
  #type = '';
  #size = 0;
  /** The content of a member about the next one. */
  #content: Buffer[] = [];
  #extended: Pax | undefined;
  #global: Pax | undefined;
  #path: Uint8Array | undefined;
  #hasEnded = false;

  /** The header to be added before what begins here, if any. */
  next(piece: Uint8Array, at: number): Uint8Array | null {
    if (this.#left > 0 || this.#hasEnded) return null;
    const block = Buffer.from(piece.buffer, piece.byteOffset + at, blockBytes);
    const header = new Header(block, 0, this.#extended, this.#global);
    // The parser refuses what is damaged.
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

  /** Passes over what is in a piece from there on, up to the end of a member. Returns how many bytes. */
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

/** Decodes names in the encoding that all names so far are likely in. */
class NameDecoder {
  #sample = Buffer.alloc(0);
  #encoding = 'utf-8';

  /** Null for bytes that are no text. */
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

/** The name in a header's own fields, with the folders that some programs keep in another one. */
function pathIn(header: Buffer): Uint8Array {
  const name = upToNul(header.subarray(0, 100));
  const hasPrefix = header.toString('latin1', 257, 265) === 'ustar\u000000';
  const prefix = upToNul(header.subarray(345, header[475] === 0 ? 475 : 500));
  if (!hasPrefix || prefix.byteLength === 0) return name;
  return Buffer.concat([prefix, Buffer.from('/'), name]);
}

/** The value of the last record `length path=value`, as its bytes. */
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
