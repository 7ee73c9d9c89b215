import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { decodeBytes, sniff } from '@trove/core/content';

/** A member's name as an archive's directory stores it. */
export interface StoredName {
  readonly bytes: Uint8Array;
  /** The program says that the name is in UTF-8. */
  readonly isUtf8: boolean;
  /** The system of the program: 0 for DOS and Windows, 3 for Unix. */
  readonly system: number;
  readonly extra: Uint8Array;
}

const unicodePath = 0x7075;
/** Bytes of the unicode path field before the name: its version, and a checksum of the other name. */
const unicodeHead = 5;
/** What a guess of few letters falls back to, and what programs on DOS and Windows never write. */
const western = /^(?:windows-1252|macintosh|iso-8859-)/;
const dosEncoding = 'cp437';

/** The names of an archive's members, with `/` between folders. Those without a known encoding are read in the likeliest. */
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

/** The name in UTF-8 that Info-ZIP adds; it counts only for the name that it was made for. */
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

/** One encoding for all names: an archive is made by one program, and a single name tells little. */
function likelyEncoding(names: readonly StoredName[]): string {
  if (names.length === 0) return dosEncoding;
  const { binary, encoding } = sniff(joined(names.map(({ bytes }) => bytes)));
  const isDos = names.every(({ system }) => system !== 3);
  return binary || (isDos && western.test(encoding)) ? dosEncoding : encoding;
}

function joined(names: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(names.flatMap((name) => [name, Buffer.from('\n')]));
}
