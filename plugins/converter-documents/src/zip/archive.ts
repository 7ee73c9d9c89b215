import { inflateRawSync } from 'node:zlib';
import { Inflate } from 'fflate';

import { damaged, encrypted, tooComplex } from '../errors.js';
import { deflated, readDirectory, storedBytes, type ZipMember } from './directory.js';

/** The maximum size of all members after decompression, counted each time they are read. */
const maxExpandedBytes = 256 * 1024 * 1024;
/** The maximum size of a member that is read as a whole. */
const maxWholeBytes = 64 * 1024 * 1024;
/** Beyond this many bytes, a member must not grow more than `maxRatio` times. */
const minRatioBytes = 8 * 1024 * 1024;
const maxRatio = 500;
/** Compressed bytes decompressed at a time. The result may be a thousand times larger. */
const inflateStepBytes = 8 * 1024;
/** Members up to this size are decompressed at once, because starting a stream would dominate the time. */
const smallMemberBytes = 8 * 1024;
/**
 * The cost of opening a member, in decompressed bytes. A document may refer to the same small member a million times.
 */
const openingBytes = 2 * 1024;

/** A ZIP archive that decompresses its members within limits. */
export class Archive {
  readonly #bytes: Uint8Array;
  readonly #members: ReadonlyMap<string, ZipMember>;
  #expanded = 0;

  /** Throws unless the bytes are a complete ZIP archive without encryption. */
  constructor(bytes: Uint8Array) {
    refuseCompoundFile(bytes);
    this.#bytes = bytes;
    this.#members = readDirectory(bytes);
  }

  get names(): IterableIterator<string> {
    return this.#members.keys();
  }

  has(name: string): boolean {
    return this.#members.has(name);
  }

  /** Returns a small member as a whole, or undefined if it does not exist. */
  read(name: string): Uint8Array | undefined {
    if (!this.has(name)) return undefined;
    const chunks: Uint8Array[] = [];
    let length = 0;
    this.stream(name, (chunk) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxWholeBytes) throw tooComplex(`contains ${name}, which is too large`);
      return true;
    });
    return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
  }

  /** Passes a member to `take` in pieces until that returns false. */
  stream(name: string, take: (chunk: Uint8Array) => boolean): void {
    const member = this.#members.get(name);
    if (member === undefined) throw damaged(`lacks ${name}`);
    const stored = storedBytes(this.#bytes, member);
    let expanded = 0;
    let wanted = true;
    this.#count(openingBytes);
    const receive = (chunk: Uint8Array): void => {
      expanded += chunk.length;
      this.#count(chunk.length);
      if (expanded > minRatioBytes && expanded > stored.length * maxRatio) {
        throw tooComplex(`grows more than ${maxRatio} times when it is decompressed`);
      }
      if (wanted && chunk.length > 0) wanted = take(chunk);
    };
    const whole = member.method === deflated ? expandedAtOnce(stored) : stored;
    if (whole !== undefined) {
      receive(whole);
      return;
    }
    const inflate = new Inflate(receive);
    for (let at = 0; at < stored.length && wanted; at += inflateStepBytes) {
      push(
        inflate,
        stored.subarray(at, at + inflateStepBytes),
        at + inflateStepBytes >= stored.length,
        name,
      );
    }
  }

  #count(bytes: number): void {
    this.#expanded += bytes;
    if (this.#expanded > maxExpandedBytes) throw tooComplex('is too large when it is decompressed');
  }
}

/** Returns undefined for large and damaged members, because a stream returns the content before the damage. */
function expandedAtOnce(stored: Uint8Array): Uint8Array | undefined {
  if (stored.length > smallMemberBytes) return undefined;
  try {
    return inflateRawSync(stored, {
      maxOutputLength: smallMemberBytes,
      chunkSize: smallMemberBytes,
    });
  } catch {
    return undefined;
  }
}

function push(inflate: Inflate, chunk: Uint8Array, last: boolean, name: string): void {
  try {
    inflate.push(chunk, last);
  } catch (error) {
    // Errors of the receiver pass through here too. The library's own errors have a numeric code.
    if (!(error instanceof Error && 'code' in error && typeof error.code === 'number')) throw error;
    throw damaged(`has invalid compressed data in ${name}`, error);
  }
}

/** Compared as bytes, because Node never returns from a UTF-16 search in bytes at an odd memory offset. */
const encryptedStream = Buffer.from('EncryptedPackage', 'utf16le');

/** Rejects compound files: Office documents with a password, and documents of Office 97 to 2003. */
function refuseCompoundFile(bytes: Uint8Array): void {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (start.length < 8 || start.readUInt32BE(0) !== 0xd0_cf_11_e0) return;
  if (start.includes(encryptedStream)) throw encrypted();
  throw damaged('is in the format of Office 97 to 2003, regardless of its name');
}
