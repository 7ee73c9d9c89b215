const [tab, lineFeed, carriageReturn, space, equals] = [9, 10, 13, 32, 61];

/** The bytes of a part as they were attached. */
export function decoded(bytes: Buffer, encoding: string): Buffer {
  if (encoding === 'base64') return fromBase64(bytes);
  return encoding === 'quoted-printable' ? unquoted(bytes) : bytes;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** By the codes of characters. */
const values = Array.from({ length: 256 }, (_, code) =>
  alphabet.indexOf(String.fromCharCode(code)),
);

/** As a part that is written in base64 has it, without breaks. */
export function oneLine(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('base64'), 'latin1');
}

/** Some programs end each line with what ends a text, where Node stops. */
function fromBase64(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  const end = text.indexOf('=');
  if (end === -1 || !/[A-Za-z0-9+/]/.test(text.slice(end))) return Buffer.from(text, 'base64');
  const plain = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    if (byte === equals) bits = 0;
    const value = values[byte] ?? -1;
    if (value === -1) continue;
    held = ((held << 6) | value) & 0xfff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    plain[length++] = (held >> bits) & 0xff;
  }
  return plain.subarray(0, length);
}

/** In one pass: a pattern for white space before a line end would look at a long run of it once for each of its places. */
function unquoted(bytes: Buffer): Buffer {
  const plain = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  /** What comes before this is no white space that a line ends with. */
  let ink = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    const next = byte === equals ? endOfLine(bytes, at + 1) : -1;
    const code = byte === equals ? hexAt(bytes, at + 1) : -1;
    if (next !== -1) {
      at = next - 1;
      ink = length;
      continue;
    }
    if (isLineEnd(bytes, at)) length = ink;
    plain[length++] = code === -1 ? byte : code;
    if (code !== -1) at += 2;
    if (code !== -1 || (byte !== space && byte !== tab)) ink = length;
  }
  return plain.subarray(0, ink);
}

/** Where the next line begins, if nothing but white space comes before that; else -1. */
function endOfLine(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === space || bytes[at] === tab) at++;
  if (!isLineEnd(bytes, at)) return -1;
  return at + (bytes[at] === lineFeed ? 1 : 2);
}

function isLineEnd(bytes: Buffer, at: number): boolean {
  return bytes[at] === lineFeed || (bytes[at] === carriageReturn && bytes[at + 1] === lineFeed);
}

/** The byte that two digits stand for; -1 for anything else. */
function hexAt(bytes: Buffer, at: number): number {
  const digits = bytes.toString('latin1', at, at + 2);
  return /^[0-9a-fA-F]{2}$/.test(digits) ? Number.parseInt(digits, 16) : -1;
}
