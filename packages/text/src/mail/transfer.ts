import { decodeLabelled, decodeText } from '../encodings/index.js';

const [tab, lineFeed, carriageReturn, space, equals] = [9, 10, 13, 32, 61];

/** Decodes the transfer encoding of a part. */
export function decodeTransfer(bytes: Buffer, encoding: string): Buffer {
  if (encoding === 'base64') return decodeBase64(bytes);
  if (/^(?:x-)?uu(?:e|encode)$/.test(encoding)) return decodeUuencoded(bytes)?.bytes ?? bytes;
  return encoding === 'quoted-printable' ? decodeQuotedPrintable(bytes) : bytes;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** By character code. */
const values = Array.from({ length: 256 }, (_, code) =>
  alphabet.indexOf(String.fromCharCode(code)),
);

/** Encodes bytes in base64 without line breaks. */
export function encodeBase64(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('base64'), 'latin1');
}

/** Decodes base64, even if each line ends with padding, where Node stops. */
function decodeBase64(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  const end = text.indexOf('=');
  if (end === -1 || !/[A-Za-z0-9+/]/.test(text.slice(end))) return Buffer.from(text, 'base64');
  const plain = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  let bits = 0;
  let buffer = 0;
  for (const byte of bytes) {
    if (byte === equals) bits = 0;
    const value = values[byte] ?? -1;
    if (value === -1) continue;
    buffer = ((buffer << 6) | value) & 0xfff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    plain[length++] = (buffer >> bits) & 0xff;
  }
  return plain.subarray(0, length);
}

/** Decodes in one pass. A regular expression for trailing white space takes quadratic time on long runs. */
function decodeQuotedPrintable(bytes: Buffer): Buffer {
  const plain = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  /** The end of the output without trailing white space. */
  let contentEnd = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    const next = byte === equals ? endOfLine(bytes, at + 1) : -1;
    const code = byte === equals ? hexAt(bytes, at + 1) : -1;
    if (next !== -1) {
      at = next - 1;
      contentEnd = length;
      continue;
    }
    if (isLineEnd(bytes, at)) length = contentEnd;
    plain[length++] = code === -1 ? byte : code;
    if (code !== -1) at += 2;
    if (code !== -1 || (byte !== space && byte !== tab)) contentEnd = length;
  }
  return plain.subarray(0, contentEnd);
}

/** Returns the start of the next line if only white space precedes it, else -1. */
function endOfLine(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === space || bytes[at] === tab) at++;
  if (!isLineEnd(bytes, at)) return -1;
  return at + (bytes[at] === lineFeed ? 1 : 2);
}

function isLineEnd(bytes: Buffer, at: number): boolean {
  return bytes[at] === lineFeed || (bytes[at] === carriageReturn && bytes[at + 1] === lineFeed);
}

/** Returns the byte of two hexadecimal digits, or -1. */
function hexAt(bytes: Buffer, at: number): number {
  const digits = bytes.toString('latin1', at, at + 2);
  return /^[0-9a-fA-F]{2}$/.test(digits) ? Number.parseInt(digits, 16) : -1;
}

/** Returns the text of a part. An embedded uuencoded file is replaced by its text, or else by its name. */
export function textOfPart(bytes: Buffer, encoding: string, charset: string | null): string {
  const content = decodeTransfer(bytes, encoding);
  const within = decodeUuencoded(content);
  if (within === null) return decodeLabelled(content, charset);
  const around = [content.subarray(0, within.start), content.subarray(within.end)];
  const [before, after] = around.map((part) => decodeLabelled(part, charset));
  return `${before}${decodeText(within.bytes)?.text ?? within.name}\n${after}`;
}

interface UuencodedFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** Decodes the text between the first `begin` and its `end`. Null if there is none. */
function decodeUuencoded(bytes: Buffer): UuencodedFile | null {
  const text = bytes.toString('latin1');
  const begin = /^begin [0-7]{3,4} ([^\r\n]{1,255})\r?\n/m.exec(text);
  if (begin === null) return null;
  const from = begin.index + begin[0].length;
  const parts: Buffer[] = [];
  for (let at = from; at < text.length;) {
    const next = text.indexOf('\n', at) + 1 || text.length;
    const line = text.slice(at, next).replace(/\r?\n$/, '');
    if (line === 'end') {
      const name = begin[1] ?? '';
      return { name, bytes: Buffer.concat(parts), start: begin.index, end: next };
    }
    const part = decodeUuencodedLine(line);
    if (part === null) return null;
    parts.push(part);
    at = next;
  }
  return null;
}

/** Decodes a line. Its first character is the number of bytes, and four characters are three bytes. */
function decodeUuencodedLine(line: string): Buffer | null {
  if (line === '') return Buffer.alloc(0);
  if (/[^ -`]/.test(line)) return null;
  const sixBits = (at: number): number => (line.charCodeAt(at) - 32) & 63 || 0;
  const length = sixBits(0);
  if (line.length > 4 * Math.ceil(length / 3) + 3) return null;
  const bytes: number[] = [];
  for (let at = 1; bytes.length < length; at += 4) {
    const group = [0, 1, 2, 3].reduce((bits, add) => (bits << 6) | sixBits(at + add), 0);
    bytes.push((group >> 16) & 255, (group >> 8) & 255, group & 255);
  }
  return Buffer.from(bytes.slice(0, length));
}
