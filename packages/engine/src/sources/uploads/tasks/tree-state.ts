import { closeSync, openSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The state of a stored file: as its client sees it, and the SHA-1 of its bytes in hexadecimal. */
export interface StoredFile {
  readonly size: number;
  /** Nanoseconds since 1970. */
  readonly mtimeNs: string;
  readonly inode: string | null;
  readonly sha1: string;
}

type StateRow = readonly [
  path: string,
  size: number,
  mtimeNs: string,
  inode: string | null,
  sha1: string,
];

/** Rows per line. A single text for a large tree would take megabytes, and as much again while it is parsed. */
const rowsPerLine = 100;
const pieceBytes = 64 * 1024;

/**
 * Yields the files of a tree with their paths. Yields none if there is no tree or its state was lost. Stops at damaged
 * data, so those files must be sent again.
 */
export function* storedFiles(tree: string | null): Generator<[path: string, stored: StoredFile]> {
  const file = tree === null ? null : openIfThere(fileOf(tree));
  if (file === null) return;
  try {
    for (const rows of linesOf(file)) {
      if (!isRows(rows)) return;
      for (const [path, size, mtimeNs, inode, sha1] of rows) {
        yield [path, { size, mtimeNs, inode, sha1 }];
      }
    }
  } finally {
    closeSync(file);
  }
}

function openIfThere(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch {
    return null;
  }
}

/** Yields the parsed lines; null for an invalid one. */
function* linesOf(file: number): Generator {
  let buffer = Buffer.alloc(2 * pieceBytes);
  let filled = 0;
  for (;;) {
    if (buffer.length - filled < pieceBytes)
      buffer = Buffer.concat([buffer, Buffer.alloc(buffer.length)]);
    const count = readSync(file, buffer, filled, pieceBytes, null);
    const lines = buffer.subarray(0, filled + count);
    let at = 0;
    for (let end = lines.indexOf('\n', filled); end >= 0; end = lines.indexOf('\n', at)) {
      yield parsed(lines.toString('utf8', at, end));
      at = end + 1;
    }
    buffer.copyWithin(0, at, lines.length);
    filled = lines.length - at;
    if (count > 0) continue;
    if (filled > 0) yield null;
    return;
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function isRows(value: unknown): value is readonly StateRow[] {
  return Array.isArray(value) && value.every(isRow);
}

function isRow(value: unknown): value is StateRow {
  if (!Array.isArray(value)) return false;
  const [path, size, mtimeNs, inode, sha1]: unknown[] = value;
  const texts = [path, mtimeNs, inode ?? '', sha1];
  return Number.isSafeInteger(size) && texts.every((text) => typeof text === 'string');
}

/** Writes the states of a tree's files. Never holds all of them in memory. */
export class StateWriter {
  /** The absolute path of the state file. */
  readonly path: string;
  readonly #file: number;
  #rows: StateRow[] = [];

  constructor(tree: string) {
    this.path = fileOf(tree);
    this.#file = openSync(this.path, 'wx', 0o600);
  }

  add(path: string, { size, mtimeNs, inode, sha1 }: StoredFile): void {
    this.#rows.push([path, size, mtimeNs, inode, sha1]);
    if (this.#rows.length >= rowsPerLine) this.#write();
  }

  /** Writes all remaining rows. */
  finish(): void {
    if (this.#rows.length > 0) this.#write();
  }

  close(): void {
    closeSync(this.#file);
  }

  #write(): void {
    writeFileSync(this.#file, `${JSON.stringify(this.#rows)}\n`);
    this.#rows = [];
  }
}

function fileOf(tree: string): string {
  return join(tree, 'state.jsonl');
}
