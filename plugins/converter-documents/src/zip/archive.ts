import { inflateRawSync } from 'node:zlib';
import { Inflate } from 'fflate';

import { damaged, encrypted, tooComplex } from '../refusals.js';
import { deflated, readDirectory, storedBytes, type Member } from './directory.js';

/** What all members that are read may grow to, in bytes, each time that they are read. */
const MAX_EXPANDED = 256 * 1024 * 1024;
/** What a member that is read as a whole may grow to. */
const MAX_WHOLE = 64 * 1024 * 1024;
/** Beyond this many bytes, a member must not have grown more than `MAX_RATIO` times. */
const RATIO_FROM = 8 * 1024 * 1024;
const MAX_RATIO = 500;
/** Compressed bytes expanded at a time. The result may be a thousand times larger. */
const STEP = 8 * 1024;
/** Members up to this size are expanded at once, because starting a stream would take most of the time. */
const SMALL = 8 * 1024;
/** The cost of opening a member, in bytes of expansion. A document may name the same small member a million times. */
const OPENING = 2 * 1024;

/** A ZIP archive whose members are expanded within limits. */
export class Archive {
  readonly #bytes: Uint8Array;
  readonly #members: ReadonlyMap<string, Member>;
  #expanded = 0;

  /** Throws unless the bytes are a whole ZIP archive that is not encrypted. */
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

  /** A small member as a whole; undefined if there is none of that name. */
  read(name: string): Uint8Array | undefined {
    if (!this.has(name)) return undefined;
    const chunks: Uint8Array[] = [];
    let length = 0;
    this.stream(name, (chunk) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > MAX_WHOLE) throw tooComplex(`contains ${name}, which is too large`);
      return true;
    });
    return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
  }

  /** Hands out a member in pieces until `take` returns false. */
  stream(name: string, take: (chunk: Uint8Array) => boolean): void {
    const member = this.#members.get(name);
    if (member === undefined) throw damaged(`lacks ${name}`);
    const stored = storedBytes(this.#bytes, member);
    let expanded = 0;
    let wanted = true;
    this.#count(OPENING);
    const receive = (chunk: Uint8Array): void => {
      expanded += chunk.length;
      this.#count(chunk.length);
      if (expanded > RATIO_FROM && expanded > stored.length * MAX_RATIO) {
        throw tooComplex(`grows more than ${MAX_RATIO} times when it is unpacked`);
      }
      if (wanted && chunk.length > 0) wanted = take(chunk);
    };
    const whole = member.method === deflated ? expandedAtOnce(stored) : stored;
    if (whole !== undefined) {
      receive(whole);
      return;
    }
    const inflate = new Inflate(receive);
    for (let at = 0; at < stored.length && wanted; at += STEP) {
      push(inflate, stored.subarray(at, at + STEP), at + STEP >= stored.length, name);
    }
  }

  #count(bytes: number): void {
    this.#expanded += bytes;
    if (this.#expanded > MAX_EXPANDED) throw tooComplex('grows too large when it is unpacked');
  }
}

/** Undefined for large members, and for damaged ones, because a stream returns the content before the damage. */
function expandedAtOnce(stored: Uint8Array): Uint8Array | undefined {
  if (stored.length > SMALL) return undefined;
  try {
    return inflateRawSync(stored, { maxOutputLength: SMALL, chunkSize: SMALL });
  } catch {
    return undefined;
  }
}

function push(inflate: Inflate, chunk: Uint8Array, last: boolean, name: string): void {
  try {
    inflate.push(chunk, last);
  } catch (error) {
    // What the receiver throws passes through here, too; the library's own errors have a number.
    if (!(error instanceof Error && 'code' in error && typeof error.code === 'number')) throw error;
    throw damaged(`is packed wrongly within ${name}`, error);
  }
}

/** As bytes: Node never returns from a search for UTF-16 in bytes that begin at an odd place of their memory. */
const encryptedStream = Buffer.from('EncryptedPackage', 'utf16le');

/** Refuses compound files: Office documents with a password, and documents of Office 97 to 2003. */
function refuseCompoundFile(bytes: Uint8Array): void {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (start.length < 8 || start.readUInt32BE(0) !== 0xd0_cf_11_e0) return;
  if (start.includes(encryptedStream)) throw encrypted();
  throw damaged('is in the format of Office 97 to 2003, whatever its name says');
}
