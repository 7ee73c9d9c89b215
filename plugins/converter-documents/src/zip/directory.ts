import { damaged, encrypted, tooComplex } from '../errors.js';
import { decodeNames, type StoredName } from './names.js';

/** A file in a ZIP archive according to its directory. */
export interface ZipMember {
  readonly name: string;
  /** The compression method: 0 for none, 8 for deflate. */
  readonly method: number;
  readonly compressed: number;
  readonly expanded: number;
  /** The offset of its local header. */
  readonly offset: number;
}

const maxMembers = 50_000;
const endSignature = 0x06_05_4b_50;
const end64Signature = 0x06_06_4b_50;
const locator64Signature = 0x07_06_4b_50;
const memberSignature = 0x02_01_4b_50;
const localSignature = 0x04_03_4b_50;
const endLength = 22;
const memberLength = 46;
const localLength = 30;
/** The value of a 32-bit field whose real value is in the extra fields. */
const zip64Marker = 0xff_ff_ff_ff;

export const deflated = 8;
/** The flag of a name in UTF-8. */
const utf8Name = 0x800;

interface Directory {
  readonly offset: number;
  readonly length: number;
  readonly count: number;
  /** The end of the directory, counted from the first given byte. Other bytes may precede the archive. */
  readonly end: number;
}

/** Returns the members by name, with `/` between folders. Throws unless the bytes are a complete ZIP archive. */
export function readDirectory(bytes: Uint8Array): Map<string, ZipMember> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const directory = findDirectory(view);
  if (directory.count > maxMembers) throw tooComplex(`consists of ${directory.count} files`);
  const shift = directory.end - directory.length - directory.offset;
  const names: StoredName[] = [];
  const rest: Omit<ZipMember, 'name'>[] = [];
  let at = directory.offset + shift;
  for (let i = 0; i < directory.count; i++) {
    if (
      at < 0 ||
      at + memberLength > bytes.length ||
      view.getUint32(at, true) !== memberSignature
    ) {
      throw damaged('is a ZIP archive with a broken directory');
    }
    const nameLength = view.getUint16(at + 28, true);
    const extraLength = view.getUint16(at + 30, true);
    const nameAt = at + memberLength;
    const flags = view.getUint16(at + 8, true);
    if ((flags & 1) === 1) throw encrypted();
    const extraAt = nameAt + nameLength;
    names.push({
      bytes: bytes.subarray(nameAt, extraAt),
      isUtf8: (flags & utf8Name) !== 0,
      system: view.getUint8(at + 5),
      extra: bytes.subarray(extraAt, extraAt + extraLength),
    });
    const sizes = sizesOf(view, at, extraAt, extraLength);
    const method = view.getUint16(at + 10, true);
    rest.push({ method, ...sizes, offset: sizes.offset + shift });
    at = nameAt + nameLength + extraLength + view.getUint16(at + 32, true);
  }
  return membersOf(decodeNames(names), rest);
}

function membersOf(
  names: readonly string[],
  rest: readonly Omit<ZipMember, 'name'>[],
): Map<string, ZipMember> {
  const members = new Map<string, ZipMember>();
  for (const [i, member] of rest.entries()) {
    const name = names[i] ?? '';
    if (member.method !== 0 && member.method !== deflated) {
      throw damaged(`contains ${name} in an unsupported compression format`);
    }
    members.set(name, { name, ...member });
  }
  return members;
}

/** Returns the stored, possibly compressed bytes of a member. */
export function storedBytes(bytes: Uint8Array, member: ZipMember): Uint8Array {
  const { offset, compressed, name } = member;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (
    offset < 0 ||
    offset + localLength > bytes.length ||
    view.getUint32(offset, true) !== localSignature
  ) {
    throw damaged(`is a ZIP archive without ${name}, which its directory names`);
  }
  const start =
    offset + localLength + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  if (start + compressed > bytes.length) throw damaged(`is truncated within ${name}`);
  return bytes.subarray(start, start + compressed);
}

function findDirectory(view: DataView): Directory {
  const lowest = Math.max(0, view.byteLength - endLength - 0xff_ff);
  for (let at = view.byteLength - endLength; at >= lowest; at--) {
    if (view.getUint32(at, true) === endSignature) return directoryAt(view, at);
  }
  const isZip = view.byteLength >= 4 && view.getUint32(0, true) === localSignature;
  throw damaged(isZip ? 'is truncated: its ZIP archive has no directory' : 'is not a ZIP archive');
}

function directoryAt(view: DataView, at: number): Directory {
  const directory = {
    count: view.getUint16(at + 10, true),
    length: view.getUint32(at + 12, true),
    offset: view.getUint32(at + 16, true),
    end: at,
  };
  const locator = at - 20;
  if (locator < 0 || view.getUint32(locator, true) !== locator64Signature) return directory;
  const end64 = Number(view.getBigUint64(locator + 8, true));
  if (end64 + 56 > view.byteLength || view.getUint32(end64, true) !== end64Signature) {
    throw damaged('is a ZIP archive with a broken directory');
  }
  return {
    count: Number(view.getBigUint64(end64 + 32, true)),
    length: Number(view.getBigUint64(end64 + 40, true)),
    offset: Number(view.getBigUint64(end64 + 48, true)),
    end: end64,
  };
}

/** Reads sizes and offset. Values too large for 32 bits are in an extra field with 64 bits, in this order. */
function sizesOf(view: DataView, at: number, extraAt: number, extraLength: number) {
  let expanded = view.getUint32(at + 24, true);
  let compressed = view.getUint32(at + 20, true);
  let offset = view.getUint32(at + 42, true);
  let next = extraField(view, extraAt, Math.min(extraAt + extraLength, view.byteLength));
  const wide = (value: number): number => {
    if (value !== zip64Marker || next === undefined || next + 8 > view.byteLength) return value;
    next += 8;
    return Number(view.getBigUint64(next - 8, true));
  };
  expanded = wide(expanded);
  compressed = wide(compressed);
  offset = wide(offset);
  return { expanded, compressed, offset };
}

/** Returns the offset of the first 64-bit size in the extra fields. */
function extraField(view: DataView, start: number, end: number): number | undefined {
  let at = start;
  while (at + 4 <= end) {
    if (view.getUint16(at, true) === 1) return at + 4;
    at += 4 + view.getUint16(at + 2, true);
  }
  return undefined;
}
