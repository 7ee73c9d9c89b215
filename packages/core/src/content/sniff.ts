import { isAscii, isUtf8 } from 'node:buffer';

import { isUtf16, utf16WithoutBom } from './utf16.js';
import { signatureOf } from './signatures.js';

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin1';

/** What some bytes look like. `encoding` and `bomLength` are meaningless when `binary` is true. */
export interface Sniffed {
  readonly binary: boolean;
  readonly encoding: TextEncoding;
  /** Length of the byte order mark: 0, 2 or 3. */
  readonly bomLength: number;
}

export interface SniffOptions {
  /** The bytes are only the start of the object, so the last character may be cut off. Default false. */
  readonly prefix?: boolean;
}

/** How many bytes from the start are checked for a byte order mark, signature and NULs. */
export const startBytes = 8192;
/**
 * How many bytes, from the first non-ASCII one, determine the encoding, so that large objects need not be read to the
 * end.
 */
export const sampleBytes = 64 * 1024;
/** Latin-1 text may hold one control character per this many bytes; other data has one in ten. */
const BYTES_PER_CONTROL = 200;

const binary: Sniffed = { binary: true, encoding: 'utf-8', bomLength: 0 };

/**
 * Text or binary, and in which encoding. Binary is what starts with a known signature, or has a NUL in the first 8 KiB
 * and is not UTF-16. Otherwise 64 KiB from the first non-ASCII byte decide: text with invalid bytes is still UTF-8 if
 * most of its non-ASCII characters are valid, else Latin-1 unless it is full of control characters. No bytes are UTF-8
 * text.
 */
export function sniff(bytes: Uint8Array, options: SniffOptions = {}): Sniffed {
  const told = sniffStart(bytes.subarray(0, startBytes));
  if (told !== null) return told;
  const from = asciiLength(bytes);
  const sample = bytes.subarray(from, from + sampleBytes);
  return sniffSample(sample, options.prefix === true || from + sample.length < bytes.length);
}

/** The first 8 KiB tell already that an object is binary; they may tell nothing of one that is, too. */
export function isPlainlyBinary(bytes: Uint8Array): boolean {
  return sniffStart(bytes.subarray(0, startBytes))?.binary === true;
}

/** The verdict of the first 8 KiB, or null for text whose encoding needs a sample. */
export function sniffStart(start: Uint8Array): Sniffed | null {
  const marked = byOrderMark(start);
  if (marked !== null) return marked;
  if (signatureOf(start) !== null) return binary;
  if (!start.includes(0)) return null;
  const encoding = utf16WithoutBom(start);
  return encoding === null ? binary : text(encoding);
}

/** Judges up to 64 KiB starting at the first non-ASCII byte; `cut` when the last character may be incomplete. */
export function sniffSample(sample: Uint8Array, cut: boolean): Sniffed {
  const whole = cut ? withoutCutCharacter(sample) : sample;
  if (isUtf8(whole)) return text('utf-8');
  const { wellFormed, malformed, controls, nuls } = census(whole);
  if (wellFormed > malformed) return text('utf-8');
  return nuls > 0 || controls * BYTES_PER_CONTROL > whole.length ? binary : text('latin1');
}

/** Number of bytes before the first non-ASCII one. */
export function asciiLength(bytes: Uint8Array): number {
  for (let from = 0; from < bytes.length; from += sampleBytes) {
    const part = bytes.subarray(from, from + sampleBytes);
    if (!isAscii(part)) return from + part.findIndex((byte) => byte >= 0x80);
  }
  return bytes.length;
}

function text(encoding: TextEncoding, bomLength = 0): Sniffed {
  return { binary: false, encoding, bomLength };
}

function byOrderMark(bytes: Uint8Array): Sniffed | null {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) {
    return bytes.subarray(3, startBytes).includes(0) ? binary : text('utf-8', 3);
  }
  // FF FE 00 00 marks UTF-32, which nobody uses for files.
  if (a === 0xff && b === 0xfe && c === 0 && d === 0) return binary;
  if (a === 0xff && b === 0xfe) return isUtf16(bytes, 1) ? text('utf-16le', 2) : binary;
  if (a === 0xfe && b === 0xff) return isUtf16(bytes, 0) ? text('utf-16be', 2) : binary;
  return null;
}

/** Drops an incomplete UTF-8 character at the end. */
function withoutCutCharacter(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    return sequenceLength(byte) > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

interface Census {
  /** UTF-8 characters of two to four bytes. */
  readonly wellFormed: number;
  /** Non-ASCII bytes that are not part of one. */
  readonly malformed: number;
  readonly controls: number;
  readonly nuls: number;
}

function census(bytes: Uint8Array): Census {
  let wellFormed = 0;
  let malformed = 0;
  let controls = 0;
  let nuls = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x80) {
      const length = sequenceLength(byte);
      if (isSequence(bytes, at, length)) {
        wellFormed++;
        at += length - 1;
      } else malformed++;
    } else if (byte === 0) nuls++;
    else if (isControl(byte)) controls++;
  }
  return { wellFormed, malformed, controls, nuls };
}

/** 0 for a byte that cannot start a character. */
function sequenceLength(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead < 0xc2) return 0;
  if (lead < 0xe0) return 2;
  if (lead < 0xf0) return 3;
  return lead < 0xf5 ? 4 : 0;
}

function isSequence(bytes: Uint8Array, at: number, length: number): boolean {
  if (length === 0 || at + length > bytes.length) return false;
  for (let next = at + 1; next < at + length; next++) {
    if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return false;
  }
  return true;
}

/** Control characters never found in text: all but white space, backspace and the terminal escape. */
function isControl(byte: number): boolean {
  return byte < 0x20 ? byte < 0x08 || (byte > 0x0d && byte !== 0x1b) : byte === 0x7f;
}
