import { damaged, encrypted, tooComplex } from '../refusals.js';
import { decodeNames, type StoredName } from './names.js';

/** A file in a ZIP archive, as the archive's directory says. */
export interface Member {
  readonly name: string;
  /** The compression method: 0 for none, 8 for deflate. */
  readonly method: number;
  readonly compressed: number;
  readonly expanded: number;
  /** Where its local header begins. */
  readonly offset: number;
}

const MAX_MEMBERS = 50_000;
const END_SIGNATURE = 0x06_05_4b_50;
const END64_SIGNATURE = 0x06_06_4b_50;
const LOCATOR64_SIGNATURE = 0x07_06_4b_50;
const MEMBER_SIGNATURE = 0x02_01_4b_50;
const LOCAL_SIGNATURE = 0x04_03_4b_50;
const END_LENGTH = 22;
const MEMBER_LENGTH = 46;
const LOCAL_LENGTH = 30;
/** What a field of 32 bits contains when the true number is in the extra fields. */
const ELSEWHERE = 0xff_ff_ff_ff;

export const deflated = 8;
/** The flag of a name in UTF-8. */
const UTF8_NAME = 0x800;

interface Directory {
  readonly offset: number;
  readonly length: number;
  readonly count: number;
  /** Where it ends: 0 is the first byte of the bytes given, which may be preceded by others than the archive's. */
  readonly end: number;
}

/** Members by name, with `/` between folders. Throws unless the bytes are a whole ZIP archive. */
export function readDirectory(bytes: Uint8Array): Map<string, Member> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const directory = findDirectory(view);
  if (directory.count > MAX_MEMBERS) throw tooComplex(`consists of ${directory.count} files`);
  const shift = directory.end - directory.length - directory.offset;
  const names: StoredName[] = [];
  const rest: Omit<Member, 'name'>[] = [];
  let at = directory.offset + shift;
  for (let i = 0; i < directory.count; i++) {
    if (
      at < 0 ||
      at + MEMBER_LENGTH > bytes.length ||
      view.getUint32(at, true) !== MEMBER_SIGNATURE
    ) {
      throw damaged('is a ZIP archive with a broken directory');
    }
    const nameLength = view.getUint16(at + 28, true);
    const extraLength = view.getUint16(at + 30, true);
    const nameAt = at + MEMBER_LENGTH;
    const flags = view.getUint16(at + 8, true);
    if ((flags & 1) === 1) throw encrypted();
    const extraAt = nameAt + nameLength;
    names.push({
      bytes: bytes.subarray(nameAt, extraAt),
      isUtf8: (flags & UTF8_NAME) !== 0,
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
  rest: readonly Omit<Member, 'name'>[],
): Map<string, Member> {
  const members = new Map<string, Member>();
  for (const [i, member] of rest.entries()) {
    const name = names[i] ?? '';
    if (member.method !== 0 && member.method !== deflated) {
      throw damaged(`contains ${name}, packed in an unusual way`);
    }
    members.set(name, { name, ...member });
  }
  return members;
}

/** The stored, possibly compressed bytes of a member. */
export function storedBytes(bytes: Uint8Array, member: Member): Uint8Array {
  const { offset, compressed, name } = member;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (
    offset < 0 ||
    offset + LOCAL_LENGTH > bytes.length ||
    view.getUint32(offset, true) !== LOCAL_SIGNATURE
  ) {
    throw damaged(`is a ZIP archive without ${name}, which its directory names`);
  }
  const start =
    offset + LOCAL_LENGTH + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  if (start + compressed > bytes.length) throw damaged(`is cut off within ${name}`);
  return bytes.subarray(start, start + compressed);
}

function findDirectory(view: DataView): Directory {
  const lowest = Math.max(0, view.byteLength - END_LENGTH - 0xff_ff);
  for (let at = view.byteLength - END_LENGTH; at >= lowest; at--) {
    if (view.getUint32(at, true) === END_SIGNATURE) return directoryAt(view, at);
  }
  const isZip = view.byteLength >= 4 && view.getUint32(0, true) === LOCAL_SIGNATURE;
  throw damaged(isZip ? 'is cut off: its ZIP archive has no directory' : 'is no ZIP archive');
}

function directoryAt(view: DataView, at: number): Directory {
  const directory = {
    count: view.getUint16(at + 10, true),
    length: view.getUint32(at + 12, true),
    offset: view.getUint32(at + 16, true),
    end: at,
  };
  const locator = at - 20;
  if (locator < 0 || view.getUint32(locator, true) !== LOCATOR64_SIGNATURE) return directory;
  const end64 = Number(view.getBigUint64(locator + 8, true));
  if (end64 + 56 > view.byteLength || view.getUint32(end64, true) !== END64_SIGNATURE) {
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
    if (value !== ELSEWHERE || next === undefined || next + 8 > view.byteLength) return value;
    next += 8;
    return Number(view.getBigUint64(next - 8, true));
  };
  expanded = wide(expanded);
  compressed = wide(compressed);
  offset = wide(offset);
  return { expanded, compressed, offset };
}

/** Where the extra field with sizes of 64 bits has its first one. */
function extraField(view: DataView, start: number, end: number): number | undefined {
  let at = start;
  while (at + 4 <= end) {
    if (view.getUint16(at, true) === 1) return at + 4;
    at += 4 + view.getUint16(at + 2, true);
  }
  return undefined;
}
