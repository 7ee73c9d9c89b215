import { plainBytes } from '../archive/decompress.js';
import { readMembers } from '../archive/members.js';
import { Places } from '../places.js';
import { invalid, quoted } from '../refusals.js';
import { type BundleMeta, MetaReader } from './bundle-meta.js';
import { NewTree } from './new-tree.js';
import { overhead, type SnapshotTask } from './snapshot.js';
import { readTreeState, type TreeState } from './tree-state.js';

export type BundleTask = SnapshotTask;

/** Makes a tree of another one and what has changed since. */
export async function applyBundle(
  { tree, base, maxBytes }: BundleTask,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  const before = readTreeState(base);
  const made = new NewTree(tree, base);
  const { state, kept } = merge(before, await unpack(made, bytes, maxBytes));
  const folders: string[] = [];
  const places = new Places((path) => folders.push(path));
  for (const path of state.keys()) places.addFile(path);
  for (const path of folders) made.addFolder(path);
  for (const [path, from] of kept) made.keep(from, path);
  made.finish(state);
}

interface Arrived {
  readonly meta: BundleMeta;
  /** Paths of the files that it brought. */
  readonly files: ReadonlySet<string>;
}

async function unpack(
  made: NewTree,
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Arrived> {
  const reader = new MetaReader();
  const files = new Set<string>();
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
      files.add(path);
    });
  });
  return { meta: reader.meta, files };
}

/** What the new tree is made of. */
interface Merged {
  readonly state: TreeState;
  /** Paths of its files that were stored already, each with its path in the old tree. */
  readonly kept: ReadonlyMap<string, string>;
}

/** The files of the new tree. What the two sides do not agree on is left for the next manifest to ask for. */
function merge(before: TreeState, { meta, files }: Arrived): Merged {
  const state: TreeState = new Map(before);
  const kept = new Map<string, string>();
  for (const path of before.keys()) kept.set(path, path);
  for (const path of [...meta.deletions, ...meta.renames.keys()]) {
    state.delete(path);
    kept.delete(path);
  }
  for (const [old, { to, sha1 }] of meta.renames) {
    const stored = before.get(old);
    if (stored?.sha1 !== sha1) continue;
    const seen = meta.hashes.get(to);
    state.set(to, seen?.sha1 === sha1 ? seen : stored);
    kept.set(to, old);
  }
  for (const [path, seen] of meta.hashes) {
    const hasArrived = files.has(path);
    if (hasArrived || state.get(path)?.sha1 === seen.sha1) state.set(path, seen);
    if (hasArrived) kept.delete(path);
  }
  return { state, kept };
}
