import { createHash } from 'node:crypto';

import { Header, Pax } from 'tar';

import { bytesOf, ChangedError, isSame } from './read.js';
import type { LocalFile } from './files.js';
import type { Plan } from './plan.js';

const blockBytes = 512;
/** A smaller file is read as a whole before anything of it is sent: if it has changed, it is left out. */
const wholeUpTo = 4 * 1024 * 1024;

/** A file that was being sent has changed: the server refuses the bundle. */
export class BrokenBundleError extends Error {
  override readonly name = 'BrokenBundleError';
  readonly path: string;

  constructor(path: string) {
    super(`${path} changed while it was sent`);
    this.path = path;
  }
}

/** What happens while a bundle is sent. */
export interface BundleEvents {
  sent(bytes: number): Promise<void>;
  /** A file has changed since it was hashed: the server keeps what it has, and asks for it the next time. */
  leftOut(file: LocalFile): void;
}

/** The bytes of a bundle: an archive that is made while it is sent. Throws a `BrokenBundleError`. */
export async function* bundleOf(
  plan: Plan,
  hashes: ReadonlyMap<string, string>,
  events: BundleEvents,
): AsyncGenerator<Uint8Array, void> {
  yield* metaOf(plan, hashes);
  for (const file of plan.send) {
    const expected = hashes.get(file.path) ?? '';
    const pieces = file.size <= wholeUpTo ? whole(file, expected) : bytesOf(file);
    if (pieces === null) {
      events.leftOut(file);
      continue;
    }
    yield* headersOf(file.path, file.size);
    const hash = createHash('sha1');
    try {
      for (const piece of pieces) {
        hash.update(piece);
        yield piece;
        await events.sent(piece.byteLength);
      }
    } catch (error) {
      throw error instanceof ChangedError ? new BrokenBundleError(file.path) : error;
    }
    if (hash.digest('hex') !== expected) throw new BrokenBundleError(file.path);
    yield paddingOf(file.size);
  }
  yield new Uint8Array(2 * blockBytes);
}

/** A small file's bytes, or null if they are not what they were. */
function whole(file: LocalFile, expected: string): readonly Uint8Array[] | null {
  try {
    const pieces = Array.from(bytesOf(file));
    const hash = createHash('sha1');
    for (const piece of pieces) hash.update(piece);
    return hash.digest('hex') === expected && isSame(file) ? pieces : null;
  } catch {
    return null;
  }
}

function* metaOf(
  { known, renames, deletions, send }: Plan,
  hashes: ReadonlyMap<string, string>,
): Generator<Uint8Array, void> {
  const files = [...known, ...send].map(({ path, size, mtimeNs, inode }) => {
    return { path, sha1: hashes.get(path), size, mtime_ns: mtimeNs, inode };
  });
  const text = Buffer.from(JSON.stringify({ hashes: files, renames, deletions }));
  yield* headersOf('.trove-meta.json', text.byteLength);
  yield text;
  yield paddingOf(text.byteLength);
}

/** The header of a regular file, and before it what does not fit into it. */
function* headersOf(path: string, size: number): Generator<Uint8Array, void> {
  const header = new Header({ path, size, mode: 0o644, type: 'File', mtime: new Date(0) });
  const isTooLong = header.encode();
  if (isTooLong) yield new Pax({ path, size }).encode();
  if (header.block !== undefined) yield header.block;
}

function paddingOf(size: number): Uint8Array {
  return new Uint8Array((blockBytes - (size % blockBytes)) % blockBytes);
}
