import { isAscii, isUtf8 } from 'node:buffer';

import { convertCr } from './decode-stream.js';
import { decodeBytes, encodingOf, extendsAscii, type TextEncoding } from './encodings.js';
import { sniff, sniffStart, type SniffResult, type SniffOptions } from './sniff.js';

export interface DecodedText {
  /** Without the byte order mark. Line endings are unchanged, except that lone `\r` becomes `\n`. */
  readonly text: string;
  readonly encoding: TextEncoding;
  /** The encoding was guessed from letter frequencies. */
  readonly guessed: boolean;
}

/** Decodes the bytes of an object. Null for binary data. Invalid bytes become U+FFFD. */
export function decodeText(bytes: Uint8Array, options: SniffOptions = {}): DecodedText | null {
  const sniffed = sniff(bytes, options);
  if (sniffed.binary) return null;
  const { encoding, guessed } = sniffed;
  return { text: decodeAs(bytes, sniffed), encoding, guessed };
}

/** Decodes bytes that `sniff` classified as text. */
export function decodeAs(
  bytes: Uint8Array,
  { encoding, bomLength, crLines }: Pick<SniffResult, 'encoding' | 'bomLength' | 'crLines'>,
): string {
  const buffer = Buffer.from(
    bytes.buffer,
    bytes.byteOffset + bomLength,
    bytes.byteLength - bomLength,
  );
  const text = decodeFast(buffer, encoding);
  return crLines ? convertCr(text) : text;
}

/**
 * Decodes bytes with the label of their encoding, as in mail and on the web. A byte order mark overrules the label, and
 * so does valid UTF-8 with a single-byte label. Without a known label, detects the encoding.
 */
export function decodeLabelled(bytes: Uint8Array, label: string | null): string {
  const named = label === null || isAsciiLabel.test(label) ? null : encodingOf(label);
  const sniffed =
    named === null || hasMark(bytes) || isMislabelled(bytes, named) ? sniff(bytes) : null;
  const { encoding, bomLength } = sniffed ?? { encoding: named ?? 'utf-8', bomLength: 0 };
  return decodeFast(bytes.subarray(bomLength), encoding);
}

/** Programs without support for encodings use this label. */
const isAsciiLabel = /^(?:us-)?ascii$/i;

function hasMark(bytes: Uint8Array): boolean {
  return (sniffStart(bytes.subarray(0, 64))?.bomLength ?? 0) > 0;
}

const singleByte = /^(?:windows-|iso-8859|koi8|ibm|cp|macintosh|x-mac|utf-8$)/;

/** Both encodings contain ASCII, so other valid UTF-8 was certainly written as UTF-8. */
function isMislabelled(bytes: Uint8Array, encoding: TextEncoding): boolean {
  if (encoding === 'iso-2022-jp') return !isAscii(bytes);
  if (!extendsAscii(encoding) || !singleByte.test(encoding)) return false;
  return encoding === 'utf-8' ? !isUtf8(bytes) : !isAscii(bytes) && isUtf8(bytes);
}

function decodeFast(bytes: Uint8Array, encoding: TextEncoding): string {
  if (encoding !== 'utf-8') return decodeBytes(bytes, encoding);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isAscii(buffer) ? buffer.toString('latin1') : buffer.toString('utf8');
}
