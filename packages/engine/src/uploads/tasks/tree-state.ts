import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is known of a stored file: as its client saw it, and the SHA-1 of its bytes in hexadecimal. */
export interface StoredFile {
  readonly size: number;
  /** Nanoseconds since 1970. */
  readonly mtimeNs: string;
  readonly inode: string | null;
  readonly sha1: string;
}

export type TreeState = Map<string, StoredFile>;

type Row = readonly [
  path: string,
  size: number,
  mtimeNs: string,
  inode: string | null,
  sha1: string,
];

/** The files of a tree by path; none if there is no tree, or if it was lost or damaged: then all have to be sent again. */
export function readTreeState(tree: string | null): TreeState {
  if (tree === null) return new Map();
  const rows = rowsOf(tree);
  return new Map(
    rows.map(([path, size, mtimeNs, inode, sha1]) => [path, { size, mtimeNs, inode, sha1 }]),
  );
}

function rowsOf(tree: string): readonly Row[] {
  try {
    const value: unknown = JSON.parse(readFileSync(fileOf(tree), 'utf8'));
    return isRows(value) ? value : [];
  } catch {
    return [];
  }
}

function isRows(value: unknown): value is readonly Row[] {
  return Array.isArray(value) && value.every(isRow);
}

function isRow(value: unknown): value is Row {
  if (!Array.isArray(value)) return false;
  const [path, size, mtimeNs, inode, sha1]: unknown[] = value;
  const texts = [path, mtimeNs, inode ?? '', sha1];
  return Number.isSafeInteger(size) && texts.every((text) => typeof text === 'string');
}

/** Returns the path of its file. */
export function writeTreeState(tree: string, state: TreeState): string {
  const rows = Array.from(state, ([path, { size, mtimeNs, inode, sha1 }]): Row => {
    return [path, size, mtimeNs, inode, sha1];
  });
  const file = fileOf(tree);
  writeFileSync(file, JSON.stringify(rows), { mode: 0o600 });
  return file;
}

function fileOf(tree: string): string {
  return join(tree, 'state.json');
}
