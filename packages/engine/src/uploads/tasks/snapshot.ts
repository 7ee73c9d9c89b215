import { linkSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { plainBytes } from '../archive/decompress.js';
import { FileWriter } from '../archive/file-writer.js';
import { readMembers } from '../archive/members.js';
import { uploadLimits } from '../limits.js';
import { Places } from '../places.js';
import { readTreeState, writeTreeState, type StoredFile, type TreeState } from './tree-state.js';

export interface SnapshotTask {
  /** Folder of the new tree. */
  readonly tree: string;
  /** Folder of the tree that is to be replaced; null for none. */
  readonly base: string | null;
  /** Of the files, and of the archive without its headers. */
  readonly maxBytes: number;
}

/** Makes a tree of an archive. */
export async function unpackSnapshot(
  { tree, base, maxBytes }: SnapshotTask,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  const before = readTreeState(base);
  const state: TreeState = new Map();
  const places = new Places((path) => mkdirSync(join(tree, 'files', path), { mode: 0o700 }));
  await readMembers(plainBytes(bytes, maxBytes + overhead), maxBytes, (member) => {
    const { path } = member;
    places.addFile(path);
    const place = join(tree, 'files', path);
    return new FileWriter(place, member, (stored) => {
      state.set(path, stored);
      if (base === null || !isSame(stored, before.get(path))) return;
      // The same file as before: its identity says so to whoever lists it.
      rmSync(place);
      linkSync(join(base, 'files', path), place);
    });
  });
  writeTreeState(tree, state);
}

export const overhead = uploadLimits.members * uploadLimits.overheadBytes;

function isSame(stored: StoredFile, known: StoredFile | undefined): boolean {
  return known?.sha1 === stored.sha1 && known.mtimeNs === stored.mtimeNs;
}
