import { isAscii, isUtf8 } from 'node:buffer';

import { decodeBytes, extendsAscii, type TextEncoding } from './encodings.js';
import { guessEncoding } from './guess-encoding.js';
import { signatureOf } from '../media-types/signatures.js';
import { declaredEncodings, declarationBytes } from './declared-encoding.js';
import { isUtf16, utf16WithoutBom, utf32WithoutBom } from './utf16.js';

/** The detected format of bytes. If `binary` is true, the other members are meaningless. */
export interface SniffResult {
  readonly binary: boolean;
  readonly encoding: TextEncoding;
  /** Length of the byte order mark: 0 to 4. */
  readonly bomLength: number;
  /** The encoding was guessed from letter frequencies. */
  readonly guessed: boolean;
  /** A lone `\r` ends a line, as in files of classic Mac OS. */
  readonly crLines: boolean;
}

export interface SniffOptions {
  /** The bytes are only the start of the object, so the last character may be incomplete. Default false. */
  readonly prefix?: boolean;
  /** The known encoding. Binary data stays binary. */
  readonly encoding?: TextEncoding | undefined;
}

/** Bytes from the start to check for a byte order mark, signature and NULs. */
const startBytes = 8192;
/** Bytes after the first non-ASCII one that determine the encoding, so large objects are not read completely. */
export const sampleBytes = 64 * 1024;
/** Bytes of the sample that are used to guess encodings other than UTF. */
export const guessSampleBytes = 16 * 1024;
/** ASCII bytes before the first other byte, as context for the guess. */
export const contextBytes = 48;
/** Text may contain one control character per this many bytes. Other data has one in ten. */
const bytesPerControl = 200;
const escapeByte = 0x1b;
const dollarByte = 0x24;
/** Bytes that are enough to recognise ISO-2022-JP. */
export const jisSampleBytes = 1024;

const binaryResult: SniffResult = {
  binary: true,
  encoding: 'utf-8',
  bomLength: 0,
  guessed: false,
  crLines: false,
};

/**
 * Detects whether bytes are text, and their encoding. Binary data starts with a known signature, or has a NUL in the
 * first 8 KiB and is neither UTF-16 nor UTF-32. For other data, 64 KiB from the first non-ASCII byte decide. Valid
 * UTF-8 is UTF-8, even with a few invalid bytes. Other text has the encoding that it declares, else the most likely
 * one. No bytes are UTF-8 text.
 */
export function sniff(bytes: Uint8Array, options: SniffOptions = {}): SniffResult {
  const result = sniffStart(bytes, options.encoding);
  if (result !== null) return result;
  for (let from = 0; ; from++) {
    from += plainLength(bytes.subarray(from));
    const sample = bytes.subarray(Math.max(0, from - contextBytes), from + sampleBytes);
    const isTruncated = options.prefix === true || from + sampleBytes < bytes.length;
    if (bytes[from] !== escapeByte) return sniffSample(bytes, sample, isTruncated);
    if (isJis(bytes.subarray(from))) return textResult('iso-2022-jp', bytes);
  }
}

/** Whether the first 8 KiB prove that an object is binary. May return false for other binary objects. */
export function hasBinaryStart(bytes: Uint8Array): boolean {
  return sniffStart(bytes)?.binary === true;
}

/** Judges the first 8 KiB. Null for text whose encoding requires a sample. `head` is the first 64 KiB or more. */
export function sniffStart(head: Uint8Array, known?: TextEncoding): SniffResult | null {
  const start = head.subarray(0, startBytes);
  const marked = sniffByteOrderMark(start, head);
  if (marked !== null) return marked;
  if (signatureOf(start) !== null) return binaryResult;
  if (known !== undefined && !extendsAscii(known)) return textResult(known, head);
  if (!start.includes(0)) return known === undefined ? null : textResult(known, head);
  const encoding = utf16WithoutBom(start) ?? utf32WithoutBom(start);
  return encoding === null ? binaryResult : textResult(encoding, head);
}

/**
 * Judges up to 64 KiB around the first non-ASCII byte. With `cut`, the last character may be incomplete. `head` may
 * declare the encoding.
 */
export function sniffSample(head: Uint8Array, sample: Uint8Array, cut: boolean): SniffResult {
  // A single byte at the end may be a letter of another encoding. Two matching bytes are not.
  const whole = trimIncompleteCharacter(sample, cut ? 1 : 2);
  if (isUtf8(whole)) return textResult('utf-8', head);
  const { wellFormed, malformed, controls, nuls } = countBytes(whole);
  if (wellFormed > malformed) return textResult('utf-8', head);
  if (nuls > 0 || controls * bytesPerControl > whole.length) return binaryResult;
  const guessSample = sample.subarray(0, guessSampleBytes);
  const stated = declaredEncodings(head).find((encoding) => isPlausibleIn(guessSample, encoding));
  if (stated !== undefined) return textResult(stated, head);
  return { ...textResult(guessEncoding(guessSample), head), guessed: true };
}

/** Whether bytes after an escape character are text in ISO-2022-JP. */
export function isJis(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, jisSampleBytes)).toString('latin1');
  return /^\x1b\$(?:[@B]|\(D)(?:[\x21-\x7e]{2})+(?:\x1b\(|[\r\n]|[\x21-\x7e]?$)/.test(start);
}

/** Whether a declared encoding, which may be out of date, can decode the sample. */
function isPlausibleIn(sample: Uint8Array, encoding: TextEncoding): boolean {
  if (encoding === 'utf-8') return false;
  const wrong = decodeBytes(sample, encoding).match(/[\u0080-\u0084\u0086-\u009f\ufffd]/g);
  // The sample may end within a character.
  return (wrong?.length ?? 0) <= 1;
}

/** Returns the number of bytes before the first one that is not ASCII or may begin an escape sequence. */
export function plainLength(bytes: Uint8Array): number {
  const ascii = asciiLength(bytes);
  for (let at = 0; ; at++) {
    at = bytes.indexOf(escapeByte, at);
    if (at < 0 || at >= ascii) return ascii;
    if (at + 1 === bytes.length || bytes[at + 1] === dollarByte) return at;
  }
}

/** Returns the number of bytes before the first non-ASCII one. */
function asciiLength(bytes: Uint8Array): number {
  for (let from = 0; from < bytes.length; from += sampleBytes) {
    const part = bytes.subarray(from, from + sampleBytes);
    if (!isAscii(part)) return from + part.findIndex((byte) => byte >= 0x80);
  }
  return bytes.length;
}

function textResult(encoding: TextEncoding, head: Uint8Array, bomLength = 0): SniffResult {
  return { binary: false, encoding, bomLength, guessed: false, crLines: hasCrLines(head) };
}

/** Whether lines end with a lone `\r`. Only the start counts, because a text is decoded while it is read. */
export function hasCrLines(head: Uint8Array): boolean {
  const start = head.subarray(0, declarationBytes);
  return start.includes(0x0d) && !start.includes(0x0a);
}

function sniffByteOrderMark(bytes: Uint8Array, head: Uint8Array): SniffResult | null {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) {
    return bytes.subarray(3).includes(0) ? binaryResult : textResult('utf-8', head, 3);
  }
  if (a === 0xff && b === 0xfe && c === 0 && d === 0)
    return sniffUtf32Mark(bytes, head, 'utf-32le');
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff)
    return sniffUtf32Mark(bytes, head, 'utf-32be');
  if (a === 0xff && b === 0xfe)
    return isUtf16(bytes, 1) ? textResult('utf-16le', head, 2) : binaryResult;
  if (a === 0xfe && b === 0xff)
    return isUtf16(bytes, 0) ? textResult('utf-16be', head, 2) : binaryResult;
  return null;
}

function sniffUtf32Mark(bytes: Uint8Array, head: Uint8Array, encoding: TextEncoding): SniffResult {
  return bytes.length <= 4 || utf32WithoutBom(bytes.subarray(4)) === encoding
    ? textResult(encoding, head, 4)
    : binaryResult;
}

/** Drops an incomplete UTF-8 character of at least `min` bytes at the end. */
function trimIncompleteCharacter(bytes: Uint8Array, min: number): Uint8Array {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    return back >= min && sequenceLength(byte) > back
      ? bytes.subarray(0, bytes.length - back)
      : bytes;
  }
  return bytes;
}

interface ByteCounts {
  /** UTF-8 characters of two to four bytes. */
  readonly wellFormed: number;
  /** Other non-ASCII bytes. */
  readonly malformed: number;
  readonly controls: number;
  readonly nuls: number;
}

function countBytes(bytes: Uint8Array): ByteCounts {
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

/** Returns the length of a UTF-8 sequence. 0 for a byte that cannot start one. */
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

/** Whether a byte is a control character that text never contains. Excludes white space, backspace and escape. */
function isControl(byte: number): boolean {
  return byte < 0x20 ? byte < 0x08 || (byte > 0x0d && byte !== 0x1b) : byte === 0x7f;
}
