import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FileWriter } from '../archive/file-writer.js';
import type { Member, MemberSink } from '../archive/members.js';
import { reachDisk } from '../durable.js';
import { keep, keepIdentity } from './keep.js';
import { writeTreeState, type StoredFile, type TreeState } from './tree-state.js';

/** A tree while its files are put into it, on the disk. Paths are those of its files, '' being their folder. */
export class NewTree {
  readonly #tree: string;
  /** The tree that is to be replaced; null for none. */
  readonly #base: string | null;
  /** Paths of what is not yet sure to be on the disk. */
  readonly #folders = new Set<string>();
  readonly #files = new Set<string>();

  constructor(tree: string, base: string | null) {
    this.#tree = tree;
    this.#base = base;
  }

  /** In a folder that is there, unless it has been added. */
  addFolder(path: string): void {
    if (this.#folders.has(path)) return;
    mkdirSync(place(this.#tree, path), { mode: 0o700 });
    this.#folders.add(path);
  }

  write(path: string, member: Member, done: (stored: StoredFile) => void): MemberSink {
    this.#files.add(path);
    return new FileWriter(place(this.#tree, path), member, done);
  }

  /** A file of the tree that is to be replaced. Throws `sync_already_running` when it is not there any more. */
  keep(from: string, path: string): void {
    if (this.#base === null) return;
    const file = place(this.#tree, path);
    if (keep(place(this.#base, from), file) === 'copy') this.#files.add(path);
  }

  /** Marks a file that was written as the one at this path of the tree that is to be replaced. */
  markUnchanged(path: string): void {
    if (this.#base === null) return;
    const file = place(this.#tree, path);
    if (keepIdentity(place(this.#base, path), file, this.#tree)) this.#files.delete(path);
  }

  /** Everything is on the disk, with what is known about the files. */
  finish(state: TreeState): void {
    const known = writeTreeState(this.#tree, state);
    reachDisk(this.#tree, this.#files.size + this.#folders.size, this.#made(known));
  }

  /** Absolute paths of all that is new, those of folders after what is in them. */
  *#made(known: string): Generator<string> {
    for (const path of this.#files) yield place(this.#tree, path);
    yield known;
    for (const path of this.#folders) yield place(this.#tree, path);
    yield* [place(this.#tree, ''), this.#tree, dirname(this.#tree)];
  }
}

function place(tree: string, path: string): string {
  return join(tree, 'files', path);
}
