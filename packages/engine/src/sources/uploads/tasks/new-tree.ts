import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FileWriter } from '../archive/file-writer.js';
import type { ArchiveMember, MemberSink } from '../archive/members.js';
import { syncFiles } from '../durable.js';
import { linkOrCopy, relink } from './file-links.js';
import { StateWriter, type StoredFile } from './tree-state.js';

/** A tree while its files are put into it, on the disk. Paths are those of its files, '' being their folder. */
export class NewTree {
  readonly #tree: string;
  /** The tree that is to be replaced; null for none. */
  readonly #base: string | null;
  readonly #state: StateWriter;
  /** Paths of what is not yet sure to be on the disk. */
  readonly #folders = new Set<string>();
  readonly #files = new Set<string>();

  constructor(tree: string, base: string | null) {
    this.#tree = tree;
    this.#base = base;
    this.#state = new StateWriter(tree);
  }

  /** In a folder that is there. */
  addFolder(path: string): void {
    mkdirSync(place(this.#tree, path), { mode: 0o700 });
    this.#folders.add(path);
  }

  write(path: string, member: ArchiveMember, done: (stored: StoredFile) => void): MemberSink {
    this.#files.add(path);
    return new FileWriter(place(this.#tree, path), member, done);
  }

  /** What is known of one of its files. */
  addState(path: string, stored: StoredFile): void {
    this.#state.add(path, stored);
  }

  /** A file of the tree that is to be replaced. Throws `sync_already_running` when it is not there any more. */
  keep(from: string, path: string): void {
    if (this.#base === null) return;
    const file = place(this.#tree, path);
    if (linkOrCopy(place(this.#base, from), file) === 'copy') this.#files.add(path);
  }

  /** Marks a file that was written as the one at this path of the tree that is to be replaced. */
  markUnchanged(path: string): void {
    if (this.#base === null) return;
    const file = place(this.#tree, path);
    if (relink(place(this.#base, path), file, this.#tree)) this.#files.delete(path);
  }

  /** Runs while files are put into it; then everything is on the disk, with what is known of the files. */
  async fill(put: () => Promise<void>): Promise<void> {
    try {
      await put();
      this.#state.finish();
    } finally {
      this.#state.close();
    }
    syncFiles(this.#tree, this.#files.size + this.#folders.size, this.#made());
  }

  /** Absolute paths of all that is new, those of folders after what is in them. */
  *#made(): Generator<string> {
    for (const path of this.#files) yield place(this.#tree, path);
    yield this.#state.path;
    for (const path of this.#folders) yield place(this.#tree, path);
    yield* [place(this.#tree, ''), this.#tree, dirname(this.#tree)];
  }
}

function place(tree: string, path: string): string {
  return join(tree, 'files', path);
}
