import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freeMemory } from '@trove/runtime';

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

/** In one line: as one text, the state of a large tree takes megabytes, and as many again while it is parsed. */
const rowsAtOnce = 1000;

/** The files of a tree by path; none if there is no tree, or if it was lost or damaged: then all have to be sent again. */
export function readTreeState(tree: string | null): TreeState {
  const state: TreeState = new Map();
  if (tree === null) return state;
  try {
    for (const rows of linesOf(readFileSync(fileOf(tree)))) {
      if (!isRows(rows)) return new Map();
      for (const [path, size, mtimeNs, inode, sha1] of rows) {
        state.set(path, { size, mtimeNs, inode, sha1 });
      }
    }
  } catch {
    return new Map();
  }
  return state;
}

/** What the lines of a file say, whose bytes are gone then. */
function* linesOf(bytes: Buffer): Generator {
  for (let at = 0; at < bytes.length;) {
    const newline = bytes.indexOf('\n', at);
    const end = newline < 0 ? bytes.length : newline;
    yield JSON.parse(bytes.toString('utf8', at, end));
    at = end + 1;
  }
  freeMemory(bytes);
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
  const path = fileOf(tree);
  const file = openSync(path, 'w', 0o600);
  try {
    let rows: Row[] = [];
    const write = (): void => writeFileSync(file, `${JSON.stringify(rows)}\n`);
    for (const [name, { size, mtimeNs, inode, sha1 }] of state) {
      rows.push([name, size, mtimeNs, inode, sha1]);
      if (rows.length < rowsAtOnce) continue;
      write();
      rows = [];
    }
    write();
  } finally {
    closeSync(file);
  }
  return path;
}

function fileOf(tree: string): string {
  return join(tree, 'state.jsonl');
}
