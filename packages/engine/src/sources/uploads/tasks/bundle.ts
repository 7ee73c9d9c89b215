import { decompress } from '../archive/decompress.js';
import { readMembers } from '../archive/members.js';
import { TreePaths } from '../tree-paths.js';
import { invalidUpload, quoted } from '../upload-errors.js';
import { type BundleMeta, MetaReader } from './bundle-meta.js';
import { NewTree } from './new-tree.js';
import { maxOverheadBytes, type SnapshotTask } from './snapshot.js';
import { storedFiles, type StoredFile } from './tree-state.js';

export type BundleTask = SnapshotTask;

/** A tree while it is made, and which of its paths are taken. */
interface TreeDraft {
  readonly made: NewTree;
  readonly places: TreePaths;
  /** Hashes of the files in it, by path. */
  readonly hashes: Map<string, string>;
  /** Folder of the tree that is to be replaced; null for none. */
  readonly base: string | null;
}

/**
 * Makes a tree of another one and what has changed since. What the two sides do not agree on is left for the next manifest
 * to ask for.
 */
export async function applyBundle(
  { tree, base, maxBytes }: BundleTask,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  const made = new NewTree(tree, base);
  const places = new TreePaths((path) => made.addFolder(path));
  const making = { made, places, base, hashes: new Map<string, string>() };
  await made.fill(async () => {
    const meta = await unpack(making, bytes, maxBytes);
    keepRenamed(making, meta);
    keepUnchanged(making, meta);
    assertComplete(making, meta);
  });
}

/** Puts the files of a bundle into the tree; what it says of them and of others. */
async function unpack(
  { made, places, hashes }: TreeDraft,
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<BundleMeta> {
  const reader = new MetaReader();
  await readMembers(decompress(bytes, maxBytes + maxOverheadBytes), maxBytes, (member) => {
    const { path, size } = member;
    if (!reader.hasBegun) return reader.open(path, size);
    const expected = reader.meta.hashes.get(path);
    if (expected === undefined) throw invalidUpload(`${quoted(path)} is not in the \`hashes\``);
    places.addFile(path);
    return made.write(path, { ...member, mtimeNs: expected.mtimeNs }, (stored) => {
      if (stored.sha1 !== expected.sha1 || size !== expected.size) {
        throw invalidUpload(`${quoted(path)} is not the file that its SHA-1 and size belong to`);
      }
      made.addState(path, expected);
      hashes.set(path, expected.sha1);
    });
  });
  return reader.meta;
}

/** What the old tree has under another path, unless the bundle has brought it. */
function keepRenamed(making: TreeDraft, { renames, hashes }: BundleMeta): void {
  const { places, base } = making;
  if (renames.size === 0) return;
  for (const [from, stored] of storedFiles(base)) {
    const rename = renames.get(from);
    if (rename?.sha1 !== stored.sha1 || places.hasFile(rename.to)) continue;
    places.addFile(rename.to);
    keep(making, from, rename.to, withReportedState(stored, hashes.get(rename.to)));
  }
}

/** Everything else that the old tree has, and of which the bundle says nothing, or only that it looks different. */
function keepUnchanged(making: TreeDraft, { renames, deletions, hashes }: BundleMeta): void {
  const { places, base } = making;
  for (const [path, stored] of storedFiles(base)) {
    if (places.hasFile(path) || deletions.has(path) || renames.has(path)) continue;
    places.addUntracked(path);
    keep(making, path, path, withReportedState(stored, hashes.get(path)));
  }
}

function keep({ made, hashes }: TreeDraft, from: string, path: string, stored: StoredFile): void {
  made.keep(from, path);
  made.addState(path, stored);
  hashes.set(path, stored.sha1);
}

/** What is listed must be there. A rename that does not fit is left for the next manifest. */
function assertComplete({ hashes }: TreeDraft, meta: BundleMeta): void {
  const moved = new Set(Array.from(meta.renames.values(), ({ to }) => to));
  for (const [path, { sha1 }] of meta.hashes) {
    if (moved.has(path) || hashes.get(path) === sha1) continue;
    throw invalidUpload(
      `${quoted(path)} is in the \`hashes\`, but its bytes are not in the bundle`,
    );
  }
}

/** The same content may have been touched since. */
function withReportedState(stored: StoredFile, seen: StoredFile | undefined): StoredFile {
  return seen?.sha1 === stored.sha1 ? seen : stored;
}
