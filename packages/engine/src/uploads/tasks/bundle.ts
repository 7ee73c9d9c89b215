import { plainBytes } from '../archive/decompress.js';
import { readMembers } from '../archive/members.js';
import { Places } from '../places.js';
import { invalid, quoted } from '../refusals.js';
import { type BundleMeta, MetaReader } from './bundle-meta.js';
import { NewTree } from './new-tree.js';
import { overhead, type SnapshotTask } from './snapshot.js';
import { readTreeState, type StoredFile, type TreeState } from './tree-state.js';

export type BundleTask = SnapshotTask;

/** A file of the new tree: one of the bundle, or the stored one at a path of the old tree. */
interface Kept extends StoredFile {
  readonly from: string | null;
}

/** Makes a tree of another one and what has changed since. */
export async function applyBundle(
  { tree, base, maxBytes }: BundleTask,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  const before = readTreeState(base);
  const made = new NewTree(tree, base);
  const state = merge(before, await unpack(made, bytes, maxBytes));
  const folders: string[] = [];
  const places = new Places((path) => folders.push(path));
  for (const path of state.keys()) places.addFile(path);
  for (const path of folders) made.addFolder(path);
  for (const [path, { from }] of state) if (from !== null) made.keep(from, path);
  made.finish(state);
}

interface Arrived {
  readonly meta: BundleMeta;
  readonly files: TreeState;
}

async function unpack(
  made: NewTree,
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Arrived> {
  const reader = new MetaReader();
  const files: TreeState = new Map();
  const places = new Places((path) => made.addFolder(path));
  await readMembers(plainBytes(bytes, maxBytes + overhead), maxBytes, (member) => {
    const { path, size } = member;
    if (!reader.hasBegun) return reader.open(path, size);
    const expected = reader.meta.hashes.get(path);
    if (expected === undefined) throw invalid(`${quoted(path)} is not in the \`hashes\``);
    places.addFile(path);
    return made.write(path, { ...member, mtimeNs: expected.mtimeNs }, (stored) => {
      if (stored.sha1 !== expected.sha1 || size !== expected.size) {
        throw invalid(`${quoted(path)} is not the file that its SHA-1 and size belong to`);
      }
      files.set(path, expected);
    });
  });
  return { meta: reader.meta, files };
}

/** The files of the new tree. What the two sides do not agree on is left for the next manifest to ask for. */
function merge(before: TreeState, { meta, files }: Arrived): Map<string, Kept> {
  const state = new Map<string, Kept>();
  for (const [path, stored] of before) state.set(path, { ...stored, from: path });
  for (const path of meta.deletions) state.delete(path);
  for (const old of meta.renames.keys()) state.delete(old);
  for (const [old, { to, sha1 }] of meta.renames) {
    const stored = before.get(old);
    if (stored?.sha1 !== sha1) continue;
    const seen = meta.hashes.get(to);
    state.set(to, { ...(seen?.sha1 === sha1 ? seen : stored), from: old });
  }
  for (const [path, seen] of meta.hashes) {
    const known = state.get(path);
    if (files.has(path)) state.set(path, { ...seen, from: null });
    else if (known?.sha1 === seen.sha1) state.set(path, { ...seen, from: known.from });
  }
  return state;
}
