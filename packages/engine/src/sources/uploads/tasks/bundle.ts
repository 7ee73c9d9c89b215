import { decompress } from '../archive/decompress.js';
import { readMembers } from '../archive/members.js';
import { TreePaths } from '../tree-paths.js';
import { invalidUpload, quoted } from '../upload-errors.js';
import { type BundleMeta, MetaReader } from './bundle-meta.js';
import { NewTree } from './new-tree.js';
import { maxOverheadBytes, type SnapshotTask } from './snapshot.js';
import { storedFiles, type StoredFile } from './tree-state.js';

export type BundleTask = SnapshotTask;

/** A tree in progress, and the paths that it already has. */
interface TreeDraft {
  readonly newTree: NewTree;
  readonly paths: TreePaths;
  /** Hashes of the files in it, by path. */
  readonly hashes: Map<string, string>;
  /** The folder of the tree that is replaced, or null. */
  readonly base: string | null;
}

/**
 * Creates a tree from another one and a bundle of changes. Files on which both sides disagree are left to the next
 * manifest.
 */
export async function applyBundle(
  { tree, base, maxBytes }: BundleTask,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  const newTree = new NewTree(tree, base);
  const paths = new TreePaths((path) => newTree.addFolder(path));
  const draft = { newTree, paths, base, hashes: new Map<string, string>() };
  await newTree.fill(async () => {
    const meta = await unpack(draft, bytes, maxBytes);
    keepRenamed(draft, meta);
    keepUnchanged(draft, meta);
    assertComplete(draft, meta);
  });
}

/** Adds the files of a bundle to the tree. Returns the bundle's metadata. */
async function unpack(
  { newTree, paths, hashes }: TreeDraft,
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<BundleMeta> {
  const reader = new MetaReader();
  await readMembers(decompress(bytes, maxBytes + maxOverheadBytes), maxBytes, (member) => {
    const { path, size } = member;
    if (!reader.hasBegun) return reader.open(path, size);
    const expected = reader.meta.hashes.get(path);
    if (expected === undefined) throw invalidUpload(`${quoted(path)} is not in the \`hashes\``);
    paths.addFile(path);
    return newTree.write(path, { ...member, mtimeNs: expected.mtimeNs }, (stored) => {
      if (stored.sha1 !== expected.sha1 || size !== expected.size) {
        throw invalidUpload(`${quoted(path)} does not match its SHA-1 and size`);
      }
      newTree.addState(path, expected);
      hashes.set(path, expected.sha1);
    });
  });
  return reader.meta;
}

/** Adds renamed files of the old tree, unless the bundle contains them. */
function keepRenamed(draft: TreeDraft, { renames, hashes }: BundleMeta): void {
  const { paths, base } = draft;
  if (renames.size === 0) return;
  for (const [from, stored] of storedFiles(base)) {
    const rename = renames.get(from);
    if (rename?.sha1 !== stored.sha1 || paths.hasFile(rename.to)) continue;
    paths.addFile(rename.to);
    keep(draft, from, rename.to, withReportedState(stored, hashes.get(rename.to)));
  }
}

/** Adds all other files of the old tree that the bundle does not delete. */
function keepUnchanged(draft: TreeDraft, { renames, deletions, hashes }: BundleMeta): void {
  const { paths, base } = draft;
  for (const [path, stored] of storedFiles(base)) {
    if (paths.hasFile(path) || deletions.has(path) || renames.has(path)) continue;
    paths.addUntracked(path);
    keep(draft, path, path, withReportedState(stored, hashes.get(path)));
  }
}

function keep(
  { newTree, hashes }: TreeDraft,
  from: string,
  path: string,
  stored: StoredFile,
): void {
  newTree.keep(from, path);
  newTree.addState(path, stored);
  hashes.set(path, stored.sha1);
}

/** Requires all listed files. Renames of unknown files are left to the next manifest. */
function assertComplete({ hashes }: TreeDraft, meta: BundleMeta): void {
  const moved = new Set(Array.from(meta.renames.values(), ({ to }) => to));
  for (const [path, { sha1 }] of meta.hashes) {
    if (moved.has(path) || hashes.get(path) === sha1) continue;
    throw invalidUpload(
      `${quoted(path)} is in the \`hashes\`, but its bytes are not in the bundle`,
    );
  }
}

/** Uses the client's current metadata if the content is the same. */
function withReportedState(stored: StoredFile, seen: StoredFile | undefined): StoredFile {
  return seen?.sha1 === stored.sha1 ? seen : stored;
}
