import { createHash } from 'node:crypto';

import { Header, Pax } from 'tar';

import { readBytes, ChangedError, isUnchanged } from './file-reader.js';
import type { LocalFile } from './files.js';
import type { UploadPlan } from './plan.js';

const blockBytes = 512;
/** Files up to this size are read completely before they are sent, so changed files are left out. */
const maxVerifiedBytes = 4 * 1024 * 1024;

/** A file changed while it was sent, so the server rejects the bundle. */
export class BrokenBundleError extends Error {
  override readonly name = 'BrokenBundleError';
  readonly path: string;

  constructor(path: string) {
    super(`${path} changed while it was sent`);
    this.path = path;
  }
}

/** Events during an upload. */
export interface BundleEvents {
  onSent(bytes: number): Promise<void>;
  /** Called for a file that changed after it was hashed. The server asks for it again next time. */
  onLeftOut(file: LocalFile): void;
}

/** Yields the bytes of a bundle, created while it is sent. Throws a `BrokenBundleError`. */
export async function* createBundle(
  plan: UploadPlan,
  hashes: ReadonlyMap<string, string>,
  events: BundleEvents,
): AsyncGenerator<Uint8Array, void> {
  yield* createMetadata(plan, hashes);
  for (const file of plan.send) {
    const expected = hashes.get(file.path) ?? '';
    const pieces = file.size <= maxVerifiedBytes ? readUnchanged(file, expected) : readBytes(file);
    if (pieces === null) {
      events.onLeftOut(file);
      continue;
    }
    yield* createHeaders(file.path, file.size);
    const hash = createHash('sha1');
    try {
      for (const piece of pieces) {
        hash.update(piece);
        yield piece;
        await events.onSent(piece.byteLength);
      }
    } catch (error) {
      throw error instanceof ChangedError ? new BrokenBundleError(file.path) : error;
    }
    if (hash.digest('hex') !== expected) throw new BrokenBundleError(file.path);
    yield createPadding(file.size);
  }
  yield new Uint8Array(2 * blockBytes);
}

/** Reads a small file. Returns null if it has changed. */
function readUnchanged(file: LocalFile, expected: string): readonly Uint8Array[] | null {
  try {
    const pieces = Array.from(readBytes(file));
    const hash = createHash('sha1');
    for (const piece of pieces) hash.update(piece);
    return hash.digest('hex') === expected && isUnchanged(file) ? pieces : null;
  } catch {
    return null;
  }
}

function* createMetadata(
  { known, renames, deletions, send }: UploadPlan,
  hashes: ReadonlyMap<string, string>,
): Generator<Uint8Array, void> {
  const files = [...known, ...send].map(({ path, size, mtimeNs, inode }) => {
    return { path, sha1: hashes.get(path), size, mtime_ns: mtimeNs, inode };
  });
  const text = Buffer.from(JSON.stringify({ hashes: files, renames, deletions }));
  yield* createHeaders('.trove-meta.json', text.byteLength);
  yield text;
  yield createPadding(text.byteLength);
}

/** Yields the header of a regular file, after an extended header if a field is too long. */
function* createHeaders(path: string, size: number): Generator<Uint8Array, void> {
  const header = new Header({ path, size, mode: 0o644, type: 'File', mtime: new Date(0) });
  const isTooLong = header.encode();
  if (isTooLong) yield new Pax({ path, size }).encode();
  if (header.block !== undefined) yield header.block;
}

function createPadding(size: number): Uint8Array {
  return new Uint8Array((blockBytes - (size % blockBytes)) % blockBytes);
}
