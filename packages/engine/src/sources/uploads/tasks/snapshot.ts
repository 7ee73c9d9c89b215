import { decompress } from '../archive/decompress.js';
import { readMembers } from '../archive/members.js';
import { uploadLimits } from '../limits.js';
import { TreePaths } from '../tree-paths.js';
import { NewTree } from './new-tree.js';
import { storedFiles, type StoredFile } from './tree-state.js';

export interface SnapshotTask {
  /** The folder of the new tree. */
  readonly tree: string;
  /** The folder of the tree that is replaced, or null. */
  readonly base: string | null;
  /** Limits the files, and the archive without its headers. */
  readonly maxBytes: number;
}

/** Creates a tree from an archive. */
export async function unpackSnapshot(
  { tree, base, maxBytes }: SnapshotTask,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  const before = new Map(storedFiles(base));
  const newTree = new NewTree(tree, base);
  const paths = new TreePaths((path) => newTree.addFolder(path));
  await newTree.fill(() =>
    readMembers(decompress(bytes, maxBytes + maxOverheadBytes), maxBytes, (member) => {
      const { path } = member;
      paths.addFile(path);
      return newTree.write(path, member, (stored) => {
        newTree.addState(path, stored);
        if (isSame(stored, before.get(path))) newTree.markUnchanged(path);
      });
    }),
  );
}

export const maxOverheadBytes = uploadLimits.members * uploadLimits.overheadBytes;

function isSame(stored: StoredFile, known: StoredFile | undefined): boolean {
  return known?.sha1 === stored.sha1 && known.mtimeNs === stored.mtimeNs;
}
