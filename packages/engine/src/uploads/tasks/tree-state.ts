import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
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

const rowsAtOnce = 1000;

/** The files of a tree by path; none if there is no tree, or if it was lost or damaged: then all have to be sent again. */
export function readTreeState(tree: string | null): TreeState {
  const state: TreeState = new Map();
  for (const [path, size, mtimeNs, inode, sha1] of tree === null ? [] : rowsOf(tree)) {
    state.set(path, { size, mtimeNs, inode, sha1 });
  }
  return state;
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

/** Returns the path of its file. It is written in parts: as one text, that of a large tree takes megabytes. */
export function writeTreeState(tree: string, state: TreeState): string {
  const path = fileOf(tree);
  const file = openSync(path, 'w', 0o600);
  try {
    let rows: Row[] = [];
    let begin = '[';
    const write = (): void => {
      writeFileSync(file, begin + JSON.stringify(rows).slice(1, -1));
      begin = ',';
      rows = [];
    };
    for (const [name, { size, mtimeNs, inode, sha1 }] of state) {
      rows.push([name, size, mtimeNs, inode, sha1]);
      if (rows.length === rowsAtOnce) write();
    }
    if (rows.length > 0 || begin === '[') write();
    writeFileSync(file, ']');
  } finally {
    closeSync(file);
  }
  return path;
}

function fileOf(tree: string): string {
  return join(tree, 'state.json');
}
