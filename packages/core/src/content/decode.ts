import { isAscii } from 'node:buffer';

import { sniff } from './sniff.js';
import type { Sniffed, TextEncoding } from './sniff.js';

export interface DecodedText {
  /** Without the byte order mark; line endings as in the object. */
  readonly text: string;
  readonly encoding: TextEncoding;
}

/** What bytes 0x80 to 0x9f mean in text labelled Latin-1, which in practice is Windows-1252. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** The text of an object's bytes, or null when they are binary. Invalid bytes become U+FFFD. */
export function decodeText(bytes: Uint8Array): DecodedText | null {
  const sniffed = sniff(bytes);
  if (sniffed.binary) return null;
  return { text: decodeAs(bytes, sniffed), encoding: sniffed.encoding };
}

/** The text of bytes that `sniff` classified as text. */
export function decodeAs(bytes: Uint8Array, { encoding, bomLength }: Sniffed): string {
  const buffer = Buffer.from(
    bytes.buffer,
    bytes.byteOffset + bomLength,
    bytes.byteLength - bomLength,
  );
  switch (encoding) {
    case 'utf-8':
      return isAscii(buffer) ? buffer.toString('latin1') : buffer.toString('utf8');
    case 'utf-16le':
    case 'utf-16be':
      return new TextDecoder(encoding, { ignoreBOM: true }).decode(buffer);
    case 'latin1':
      return buffer
        .toString('latin1')
        .replace(/[\u0080-\u009f]/g, (char) => windows1252[char.charCodeAt(0) - 0x80] ?? char);
  }
}
