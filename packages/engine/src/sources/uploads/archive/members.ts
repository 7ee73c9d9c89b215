import { Parser, type ReadEntry } from 'tar';
import { uploadLimits } from '../limits.js';
import { blocksOf } from './blocks.js';
import { withUnicodeNames } from './names.js';
import { cleanPath } from '../tree-paths.js';
import { invalidUpload, quoted, uploadTooLarge } from '../upload-errors.js';

/** A regular file in an archive. */
export interface ArchiveMember {
  /** Relative, `/`-separated, without `.` and `..`. */
  readonly path: string;
  readonly size: number;
  /** Nanoseconds since 1970. */
  readonly mtimeNs: string;
}

/** Receives the content of a member: `write` for each piece, then `end`. Both may throw. */
export interface MemberSink {
  write(bytes: Uint8Array): void;
  end(): void;
}

const files: ReadonlySet<string> = new Set(['File', 'OldFile', 'ContiguousFile']);
/** GNU tar headers of sparse files, which are packed without their holes. */
const sparse = /^\d+ GNU\.sparse\./m;

/**
 * Reads the regular files of a tar archive and skips folders. Throws `upload_invalid` for other members and for a damaged
 * or truncated archive. Throws `payload_too_large` as soon as the headers add up to more than `maxBytes`.
 */
export async function readMembers(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
  open: (member: ArchiveMember) => MemberSink,
): Promise<void> {
  let hasEnded = false;
  let members = 0;
  let left = maxBytes;
  const parser = new Parser({
    brotli: false,
    zstd: false,
    maxMetaEntrySize: uploadLimits.headerBytes,
    onReadEntry: (entry) => {
      if (++members > uploadLimits.members) {
        throw uploadTooLarge(`The archive has more than ${uploadLimits.members} members`);
      }
      left -= entry.size;
      if (left < 0)
        throw uploadTooLarge(`The files in the archive have more than ${maxBytes} bytes`);
      readMember(entry, open);
    },
    onwarn: (code, message) => {
      throw invalidUpload(`The archive is not a valid tar archive: ${quoted(message)} (${code})`);
    },
  });
  parser.on('ignoredEntry', (entry: ReadEntry) => {
    throw entry.meta
      ? invalidUpload(`A header in the archive is longer than ${uploadLimits.headerBytes} bytes`)
      : notAFile(cleanPath(entry.path), entry);
  });
  parser.on('meta', (text: string) => {
    if (sparse.test(text))
      throw invalidUpload('The archive has sparse files. Pack them without --sparse.');
  });
  parser.on('eof', () => {
    hasEnded = true;
  });
  for await (const piece of withUnicodeNames(blocksOf(bytes))) {
    // Everything after the end is padding.
    if (!hasEnded) parser.write(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
  }
  if (!hasEnded)
    throw invalidUpload('The archive is truncated or not a tar archive: its end is missing');
}

function readMember(entry: ReadEntry, open: (member: ArchiveMember) => MemberSink): void {
  const path = cleanPath(entry.path);
  if (entry.type === 'Directory') {
    entry.resume();
    return;
  }
  if (!files.has(entry.type)) throw notAFile(path, entry);
  if (path === '') throw invalidUpload(`${quoted(entry.path)} is the folder itself, not a file`);
  const { size, mtime } = entry;
  const sink = open({ path, size, mtimeNs: nanoseconds(mtime) });
  entry.on('data', (bytes) => sink.write(bytes));
  entry.on('end', () => sink.end());
}

function nanoseconds(time: Date | undefined): string {
  const ms = time?.getTime() ?? 0;
  return Number.isFinite(ms) ? String(BigInt(Math.round(ms)) * 1_000_000n) : '0';
}

function notAFile(path: string, { type }: ReadEntry): Error {
  return invalidUpload(`${quoted(path)} is a ${type}: only regular files and folders are accepted`);
}
