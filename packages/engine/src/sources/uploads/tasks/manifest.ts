import { TroveError, type Infer } from '@trove/core';
import { acceptParsed } from '@trove/runtime';
import { manifestRequestSchema, type ManifestResponse } from '../../../api/schemas.js';
import { uploadLimits } from '../limits.js';
import type { Locate } from '../locate.js';
import { cleanPath } from '../tree-paths.js';
import { uploadTooLarge } from '../upload-errors.js';
import { storedFiles, type StoredFile } from './tree-state.js';

/** A manifest task has no input except its bytes, which name the source. */
export type ManifestTask = Readonly<Record<string, never>>;

export type ManifestAnswer = Pick<ManifestResponse, 'need_sha1' | 'stored' | 'deletion_candidates'>;

type ListedFile = Infer<typeof manifestRequestSchema>['files'][number];

/** Compares a client's files with the stored ones by size, time and inode. */
export async function compareManifest(
  _task: ManifestTask,
  bytes: AsyncIterable<Uint8Array>,
  locate: Locate,
): Promise<ManifestAnswer> {
  const { client_id, root, files } = acceptParsed(
    manifestRequestSchema,
    await parseBody(bytes),
    'body',
  );
  const needed = byPath(files);
  const stored: { path: string; sha1: string }[] = [];
  const deletion_candidates: ManifestAnswer['deletion_candidates'] = [];
  for (const [path, known] of storedFiles(await locate({ client_id, root }))) {
    const { size, inode, sha1 } = known;
    const file = needed.get(path);
    if (file === undefined) deletion_candidates.push({ path, size, inode: toNumber(inode), sha1 });
    else if (isUnchanged(known, file)) needed.delete(path);
    else stored.push({ path, sha1 });
  }
  return { need_sha1: [...needed.keys()], stored, deletion_candidates };
}

/** Returns a number if it is exact. */
function toNumber(inode: string | null): number | string | null {
  return inode !== null && Number.isSafeInteger(Number(inode)) ? Number(inode) : inode;
}

async function parseBody(bytes: AsyncIterable<Uint8Array>): Promise<unknown> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes) {
    size += piece.byteLength;
    if (size > uploadLimits.metaBytes) {
      throw uploadTooLarge(`body: must be at most ${uploadLimits.metaBytes} bytes`);
    }
    pieces.push(new Uint8Array(piece));
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces)));
  } catch {
    throw new TroveError('validation_error', 'body: is not valid JSON in UTF-8');
  }
}

function byPath(files: readonly ListedFile[]): Map<string, ListedFile> {
  const listed = new Map<string, ListedFile>();
  files.forEach((file, index) => {
    const { path } = file;
    const reason = pathProblem(path) ?? (listed.has(path) ? 'occurs twice' : null);
    if (reason !== null) {
      throw new TroveError('validation_error', `body.files.${index}.path: ${reason}`);
    }
    listed.set(path, file);
  });
  return listed;
}

function pathProblem(path: string): string | null {
  try {
    return cleanPath(path) === path && path !== ''
      ? null
      : 'must be relative, without `.` and `..`';
  } catch {
    return 'must be a relative path of valid names, of at most 1024 bytes';
  }
}

/** Either side may have rounded times and inodes to JSON numbers. */
function isUnchanged(known: StoredFile, { size, mtime_ns, inode }: ListedFile): boolean {
  return (
    known.size === size &&
    Number(known.mtimeNs) === Number(mtime_ns) &&
    (known.inode === null || inode === null || Number(known.inode) === Number(inode))
  );
}
