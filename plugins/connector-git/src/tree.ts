import { isUtf8 } from 'node:buffer';
import type { Entry } from '@trove/core';

import type { Repository } from './repository.js';
import { splitAtNul } from './split.js';

/** An entry of a tree. */
export interface TreeItem {
  /** Path below the root of the tree. */
  readonly path: string;
  /** Identifies the path, also if it is not valid UTF-8. */
  readonly key: string;
  readonly id: string;
  readonly type: 'blob' | 'tree' | 'commit';
  /** Bytes; null for trees and submodules. */
  readonly size: number | null;
  /** The reason why the item must not be indexed, or null. */
  readonly skip: string | null;
}

const lfsHeader = 'version https://git-lfs.github.com/spec/v1\n';
/** Size of a pointer. It has a version, the hash and the size of the file, and rarely more. */
const lfsPointerBytes = { min: 120, max: 300 } as const;

/** Yields the entries of `git ls-tree`. `args` are its last arguments. */
export async function* readTree(
  repository: Repository,
  args: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<TreeItem> {
  const all = repository.args('ls-tree', '-z', '-l', '--full-tree', ...args);
  for await (const line of splitAtNul(repository.git.bytes(all, { signal }))) {
    const tab = line.indexOf(0x09);
    const [mode = '', type = '', id = '', size = ''] = line.toString('latin1', 0, tab).split(/ +/);
    yield toTreeItem(mode, type, id, size === '-' ? null : Number(size), line.subarray(tab + 1));
  }
}

export function toTreeItem(
  mode: string,
  type: string,
  id: string,
  size: number | null,
  name: Buffer,
): TreeItem {
  const item = {
    path: decodeName(name),
    key: keyOfName(name),
    id,
    type: type === 'tree' || type === 'commit' ? type : 'blob',
    size,
  } as const;
  return { ...item, skip: isUtf8(name) ? skipOf(mode, id) : 'its name is not valid UTF-8' };
}

/** Returns a different string for each name, even for names that are not valid UTF-8. */
export function keyOfName(name: Buffer): string {
  return isUtf8(name) ? name.toString('utf8') : `\0${name.toString('latin1')}`;
}

/** Creates the entry of a file, below a folder of the source. */
export async function entryOf(
  repository: Repository,
  folder: string,
  { path, id, size, skip }: TreeItem,
  modifiedAt: number | null,
): Promise<Entry> {
  const reason = skip ?? (await lfsReason(repository, id, size));
  const entry = { path: `${folder}/${path}`, modifiedAt };
  return reason === null
    ? { ...entry, size, fingerprint: id }
    : { ...entry, size: null, fingerprint: null, skip: reason };
}

function skipOf(mode: string, id: string): string | null {
  if (mode === '160000')
    return `a submodule, at the commit ${id.slice(0, 12)} of another repository: add that repository as its own source`;
  if (mode === '120000') return 'a symbolic link: its target is indexed at its own path';
  return null;
}

/** Returns the reason for a pointer of Git LFS. Reads only files of a pointer's size, because listings must be fast. */
async function lfsReason(
  repository: Repository,
  id: string,
  size: number | null,
): Promise<string | null> {
  if (size === null || size < lfsPointerBytes.min || size > lfsPointerBytes.max) return null;
  const blob = await repository.objectContents(id);
  return blob?.bytes.toString('latin1').startsWith(lfsHeader) === true
    ? 'a pointer of Git LFS: the repository does not contain the file'
    : null;
}

/** Decodes a name. Writes bytes that are not UTF-8 as escapes. */
function decodeName(name: Buffer): string {
  if (isUtf8(name)) return name.toString('utf8');
  return name
    .toString('latin1')
    .replace(/[\u0080-\u00ff]/g, (char) => `\\x${char.charCodeAt(0).toString(16)}`);
}
