import { isAscii, isUtf8 } from 'node:buffer';

import { decodeBytes, extendsAscii, type TextEncoding } from './encodings.js';
import { guessEncoding } from './guess-encoding.js';
import { signatureOf } from '../media-types/signatures.js';
import { declaredEncodings, declarationBytes } from './declared-encoding.js';
import { isUtf16, utf16WithoutBom, utf32WithoutBom } from './utf16.js';

/** What some bytes look like. Only `binary` means something when it is true. */
export interface SniffResult {
  readonly binary: boolean;
  readonly encoding: TextEncoding;
  /** Length of the byte order mark: 0 to 4. */
  readonly bomLength: number;
  /** Neither a mark, a rule nor the validity of UTF tells the encoding: letter frequencies do. */
  readonly guessed: boolean;
  /** A lone `\r` ends a line, as on old Macs. */
  readonly crLines: boolean;
}

export interface SniffOptions {
  /** The bytes are only the start of the object, so the last character may be cut off. Default false. */
  readonly prefix?: boolean;
  /** The encoding is known; what is binary stays so. */
  readonly encoding?: TextEncoding | undefined;
}

/** How many bytes from the start are checked for a byte order mark, signature and NULs. */
const startBytes = 8192;
/**
 * How many bytes, from the first non-ASCII one, determine the encoding, so that large objects need not be read to the
 * end.
 */
export const sampleBytes = 64 * 1024;
/** How many of these decide between encodings other than UTF. */
export const guessSampleBytes = 16 * 1024;
/** ASCII before the first other byte that helps to guess. */
export const contextBytes = 48;
/** Text may hold one control character per this many bytes; other data has one in ten. */
const bytesPerControl = 200;
const escapeByte = 0x1b;
const dollarByte = 0x24;
/** Enough of a text in ISO-2022-JP to tell. */
export const jisSampleBytes = 1024;

const binaryResult: SniffResult = {
  binary: true,
  encoding: 'utf-8',
  bomLength: 0,
  guessed: false,
  crLines: false,
};

/**
 * Text or binary, and in which encoding. Binary is what starts with a known signature, or has a NUL in the first 8 KiB
 * and is neither UTF-16 nor UTF-32. Otherwise 64 KiB from the first non-ASCII byte decide: valid UTF-8 is UTF-8, also
 * with a few invalid bytes; other text is in the encoding that it states, else in the likeliest one. No bytes are UTF-8
 * text.
 */
export function sniff(bytes: Uint8Array, options: SniffOptions = {}): SniffResult {
  const told = sniffStart(bytes, options.encoding);
  if (told !== null) return told;
  for (let from = 0; ; from++) {
    from += plainLength(bytes.subarray(from));
    const sample = bytes.subarray(Math.max(0, from - contextBytes), from + sampleBytes);
    const isTruncated = options.prefix === true || from + sampleBytes < bytes.length;
    if (bytes[from] !== escapeByte) return sniffSample(bytes, sample, isTruncated);
    if (isJis(bytes.subarray(from))) return textResult('iso-2022-jp', bytes);
  }
}

/** The first 8 KiB tell already that an object is binary; they may tell nothing of one that is, too. */
export function hasBinaryStart(bytes: Uint8Array): boolean {
  return sniffStart(bytes)?.binary === true;
}

/** The verdict of the first 8 KiB, or null for text whose encoding needs a sample. `head`: the first 64 KiB, or more. */
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
 * Judges up to 64 KiB around the first non-ASCII byte; `cut` when the last character may be incomplete. The head may say
 * the encoding.
 */
export function sniffSample(head: Uint8Array, sample: Uint8Array, cut: boolean): SniffResult {
  // One byte at the very end may be a letter of another encoding; two that fit are not.
  const whole = trimIncompleteCharacter(sample, cut ? 1 : 2);
  if (isUtf8(whole)) return textResult('utf-8', head);
  const { wellFormed, malformed, controls, nuls } = countBytes(whole);
  if (wellFormed > malformed) return textResult('utf-8', head);
  if (nuls > 0 || controls * bytesPerControl > whole.length) return binaryResult;
  const telling = sample.subarray(0, guessSampleBytes);
  const stated = declaredEncodings(head).find((encoding) => isPlausibleIn(telling, encoding));
  if (stated !== undefined) return textResult(stated, head);
  return { ...textResult(guessEncoding(telling), head), guessed: true };
}

/** Whether bytes that start with an escape character are text in ISO-2022-JP. */
export function isJis(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, jisSampleBytes)).toString('latin1');
  return /^\x1b\$(?:[@B]|\(D)(?:[\x21-\x7e]{2})+(?:\x1b\(|[\r\n]|[\x21-\x7e]?$)/.test(start);
}

/** What a text says of its encoding may be long out of date. */
function isPlausibleIn(sample: Uint8Array, encoding: TextEncoding): boolean {
  if (encoding === 'utf-8') return false;
  const wrong = decodeBytes(sample, encoding).match(/[\u0080-\u0084\u0086-\u009f\ufffd]/g);
  // The end of the sample may cut one.
  return (wrong?.length ?? 0) <= 1;
}

/** Number of bytes before the first that is not ASCII, or that may change the meaning of those after it. */
export function plainLength(bytes: Uint8Array): number {
  const ascii = asciiLength(bytes);
  for (let at = 0; ; at++) {
    at = bytes.indexOf(escapeByte, at);
    if (at < 0 || at >= ascii) return ascii;
    if (at + 1 === bytes.length || bytes[at + 1] === dollarByte) return at;
  }
}

/** Number of bytes before the first non-ASCII one. */
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

/** Whether lines end as on old Macs. Later line ends do not count, since a text is decoded while it is read. */
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

/** Drops an incomplete UTF-8 character at the end if it has at least `min` bytes. */
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
  /** Non-ASCII bytes that are not part of one. */
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
