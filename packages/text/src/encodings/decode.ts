import { isAscii, isUtf8 } from 'node:buffer';

import { convertCr } from './decode-stream.js';
import { decodeBytes, encodingOf, extendsAscii, type TextEncoding } from './encodings.js';
import { sniff, sniffStart, type SniffResult, type SniffOptions } from './sniff.js';

export interface DecodedText {
  /** Without the byte order mark; line endings as in the object, but `\n` for lone `\r`. */
  readonly text: string;
  readonly encoding: TextEncoding;
  /** Only letter frequencies tell the encoding. */
  readonly guessed: boolean;
}

/** The text of an object's bytes, or null when they are binary. Invalid bytes become U+FFFD. */
export function decodeText(bytes: Uint8Array, options: SniffOptions = {}): DecodedText | null {
  const sniffed = sniff(bytes, options);
  if (sniffed.binary) return null;
  const { encoding, guessed } = sniffed;
  return { text: decodeAs(bytes, sniffed), encoding, guessed };
}

/** The text of bytes that `sniff` classified as text. */
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
 * The text of bytes that came with the name of their encoding, as in mail and on the web. A byte order mark, and UTF-8
 * labelled as an encoding of single bytes, overrule the name; without a name that is known, the bytes tell.
 */
export function decodeLabelled(bytes: Uint8Array, label: string | null): string {
  const named = label === null || isAsciiLabel.test(label) ? null : encodingOf(label);
  const sniffed =
    named === null || hasMark(bytes) || isMislabelled(bytes, named) ? sniff(bytes) : null;
  const { encoding, bomLength } = sniffed ?? { encoding: named ?? 'utf-8', bomLength: 0 };
  return decodeFast(bytes.subarray(bomLength), encoding);
}

/** Programs that know nothing of encodings write this name. */
const isAsciiLabel = /^(?:us-)?ascii$/i;

function hasMark(bytes: Uint8Array): boolean {
  return (sniffStart(bytes.subarray(0, 64))?.bomLength ?? 0) > 0;
}

const singleByte = /^(?:windows-|iso-8859|koi8|ibm|cp|macintosh|x-mac|utf-8$)/;

/** ASCII is the same in both, so whatever else is valid UTF-8 was written as such. */
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
