import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { decodeBytes, sniff } from '@trove/text/encodings';

/** The stored name of a member in an archive's directory. */
export interface StoredName {
  readonly bytes: Uint8Array;
  /** Whether the archive marks the name as UTF-8. */
  readonly isUtf8: boolean;
  /** The system of the program: 0 for DOS and Windows, 3 for Unix. */
  readonly system: number;
  readonly extra: Uint8Array;
}

const unicodePath = 0x7075;
/** Bytes of the Unicode path field before the name: its version and a checksum of the plain name. */
const unicodeHead = 5;
/** Encodings that are guessed for few letters. Programs on DOS and Windows never write them. */
const western = /^(?:windows-1252|macintosh|iso-8859-)/;
const dosEncoding = 'cp437';

/** Decodes the names of an archive's members, with `/` between folders. Unmarked names are decoded with a guess. */
export function decodeNames(names: readonly StoredName[]): string[] {
  const known = names.map(unicodeNameOf);
  const encoding = likelyEncoding(names.filter((_, i) => known[i] === undefined));
  return names.map(({ bytes }, i) =>
    (known[i] ?? decodeBytes(bytes, encoding)).replaceAll('\\', '/'),
  );
}

function unicodeNameOf({ bytes, isUtf8: isMarked, extra }: StoredName): string | undefined {
  const stored = isMarked || isUtf8(bytes) ? bytes : unicodeField(extra, bytes);
  return stored === undefined ? undefined : decodeBytes(stored, 'utf-8');
}

/** The UTF-8 name that Info-ZIP adds. It is valid only if its checksum matches the plain name. */
function unicodeField(extra: Uint8Array, name: Uint8Array): Uint8Array | undefined {
  const view = new DataView(extra.buffer, extra.byteOffset, extra.byteLength);
  for (let at = 0; at + 4 <= extra.length; at += 4 + view.getUint16(at + 2, true)) {
    const field = extra.subarray(at + 4, at + 4 + view.getUint16(at + 2, true));
    if (view.getUint16(at, true) !== unicodePath || field.length < unicodeHead) continue;
    const unicode = field.subarray(unicodeHead);
    const isCurrent = field[0] === 1 && view.getUint32(at + unicodeHead, true) === crc32(name);
    return isCurrent && isUtf8(unicode) ? unicode : undefined;
  }
  return undefined;
}

/** Guesses one encoding for all names. One program creates an archive, and a single name is too short for a guess. */
function likelyEncoding(names: readonly StoredName[]): string {
  if (names.length === 0) return dosEncoding;
  const { binary, encoding } = sniff(joined(names.map(({ bytes }) => bytes)));
  const isDos = names.every(({ system }) => system !== 3);
  return binary || (isDos && western.test(encoding)) ? dosEncoding : encoding;
}

function joined(names: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(names.flatMap((name) => [name, Buffer.from('\n')]));
}
