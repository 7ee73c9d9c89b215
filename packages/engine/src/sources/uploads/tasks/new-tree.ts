import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FileWriter } from '../archive/file-writer.js';
import type { ArchiveMember, MemberSink } from '../archive/members.js';
import { syncFiles } from '../durable.js';
import { linkOrCopy, relink } from './file-links.js';
import { StateWriter, type StoredFile } from './tree-state.js';

/** Writes a new tree to disk. Paths are relative to its folder of files; '' is that folder. */
export class NewTree {
  readonly #tree: string;
  /** The tree that is replaced, or null. */
  readonly #base: string | null;
  readonly #state: StateWriter;
  /** Paths that may not have reached the disk yet. */
  readonly #folders = new Set<string>();
  readonly #files = new Set<string>();

  constructor(tree: string, base: string | null) {
    this.#tree = tree;
    this.#base = base;
    this.#state = new StateWriter(tree);
  }

  /** Creates a folder. Its parent must exist. */
  addFolder(path: string): void {
    mkdirSync(pathIn(this.#tree, path), { mode: 0o700 });
    this.#folders.add(path);
  }

  write(path: string, member: ArchiveMember, done: (stored: StoredFile) => void): MemberSink {
    this.#files.add(path);
    return new FileWriter(pathIn(this.#tree, path), member, done);
  }

  /** Adds the state of a file. */
  addState(path: string, stored: StoredFile): void {
    this.#state.add(path, stored);
  }

  /** Links a file of the tree that is replaced, or copies it. Throws `sync_already_running` if it is gone. */
  keep(from: string, path: string): void {
    if (this.#base === null) return;
    const file = pathIn(this.#tree, path);
    if (linkOrCopy(pathIn(this.#base, from), file) === 'copy') this.#files.add(path);
  }

  /** Marks a written file as equal to the one at the same path of the tree that is replaced. */
  markUnchanged(path: string): void {
    if (this.#base === null) return;
    const file = pathIn(this.#tree, path);
    if (relink(pathIn(this.#base, path), file, this.#tree)) this.#files.delete(path);
  }

  /** Runs `put`, which adds the files. Then writes their states and flushes everything to the disk. */
  async fill(put: () => Promise<void>): Promise<void> {
    try {
      await put();
      this.#state.finish();
    } finally {
      this.#state.close();
    }
    syncFiles(this.#tree, this.#files.size + this.#folders.size, this.#newPaths());
  }

  /** Yields absolute paths of all new files and folders, contents before folders. */
  *#newPaths(): Generator<string> {
    for (const path of this.#files) yield pathIn(this.#tree, path);
    yield this.#state.path;
    for (const path of this.#folders) yield pathIn(this.#tree, path);
    yield* [pathIn(this.#tree, ''), this.#tree, dirname(this.#tree)];
  }
}

function pathIn(tree: string, path: string): string {
  return join(tree, 'files', path);
}
