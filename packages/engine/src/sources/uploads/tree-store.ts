import { inject, injectable, createToken } from '@trove/core/di';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { TroveError } from '@trove/core';
import type { ConnectorRegistry } from '@trove/core/store';
import { isAlive, readProcessSpace } from '@trove/runtime';
import { makeFolder } from './durable.js';
import { explainDiskError } from './upload-errors.js';
import type { EngineSettings } from '../../settings.js';
import { SettingsToken, UploadFolderToken } from '../../tokens.js';
import { UploadThreadsToken, type UploadThreads } from './upload-threads.js';

/** Of this process: after a restart in a container the process may have the same id. */
const processNonce = randomBytes(6).toString('hex');
/** Nobody uploads for longer. A process of another machine cannot be asked whether it is alive. */
const abandonedAfterMs = 24 * 60 * 60 * 1000;
/** A lost database may still make a tree current, for as long as its transactions may take. */
const settledAfterMs = 60 * 60 * 1000;

/** The token of `TreeStore` in an engine's container. */
export const TreeStoreToken = createToken<TreeStore>('engine.tree_store');

/**
 * The folder in which the files are kept that clients sent to the sources of one database. Each version of a source's
 * files is a tree of its own, and the source names the one that is current: that is the switch from one to the next. A
 * tree that no source names is being made by a process whose id is in its name, or is left from one that died, or that
 * has been replaced.
 */
@injectable()
export class TreeStore {
  readonly #folder: string | null;
  readonly #threads: UploadThreads;
  readonly #space: Promise<string>;
  /** Trees that are being made here. */
  readonly #making = new Set<string>();

  /** Null: there is none, and nothing is accepted. */
  constructor(
    @inject(UploadFolderToken) folder: string | null,
    @inject(UploadThreadsToken) threads: UploadThreads,
    @inject(SettingsToken) settings: EngineSettings,
  ) {
    this.#folder = folder;
    this.#threads = threads;
    this.#space = readProcessSpace(settings.machineId);
  }

  /** Absolute path of a tree. */
  folderOf(tree: string): string {
    return join(this.#root(), tree);
  }

  /** Absolute path of the folder of its files. */
  filesOf(tree: string): string {
    return join(this.folderOf(tree), 'files');
  }

  /** Runs with the name of a new, empty tree, which is not swept until then. Throws `storage_unavailable`. */
  async create<T>(work: (tree: string) => Promise<T>): Promise<T> {
    const tree = [
      await this.#space,
      process.pid,
      processNonce,
      randomBytes(6).toString('hex'),
    ].join('.');
    this.#making.add(tree);
    try {
      await this.#begin(tree);
      return await work(tree);
    } finally {
      this.#making.delete(tree);
    }
  }

  async #begin(tree: string): Promise<void> {
    try {
      await makeFolder(this.#root());
      await mkdir(this.filesOf(tree), { recursive: true, mode: 0o700 });
    } catch (error) {
      // Node says ENOENT, too, where a disk is read-only.
      throw explainDiskError(error, 'its folder cannot be made');
    }
  }

  /** Those that are there. */
  async remove(trees: readonly string[]): Promise<void> {
    const folders = trees.map((tree) => this.folderOf(tree)).filter((folder) => existsSync(folder));
    if (folders.length > 0) await this.#threads.run('remove', { folders });
  }

  /** Removes what no source names, and nobody is making. */
  async sweep(sources: Pick<ConnectorRegistry, 'list'>): Promise<void> {
    if (this.#folder === null) return;
    const trees = await readdir(this.#folder).catch(() => []);
    const left: string[] = [];
    for (const tree of trees) if (await this.#isLeft(tree)) left.push(tree);
    // Looked up after the trees: whoever made one current has died since, or never will.
    const current = new Set((await sources.list()).map((record) => record.tree));
    await this.remove(left.filter((tree) => !current.has(tree)));
  }

  async #isLeft(tree: string): Promise<boolean> {
    const [space, pid, itsLife] = tree.split('.');
    if (space !== (await this.#space)) return (await this.#ageOf(tree)) > abandonedAfterMs;
    if (Number(pid) !== process.pid) return !isAlive(Number(pid));
    if (itsLife !== processNonce) return true;
    return !this.#making.has(tree) && (await this.#ageOf(tree)) > settledAfterMs;
  }

  /** Milliseconds since it was finished. */
  async #ageOf(tree: string): Promise<number> {
    const { mtimeMs } = await stat(this.folderOf(tree)).catch(() => ({ mtimeMs: Date.now() }));
    return Date.now() - mtimeMs;
  }

  #root(): string {
    if (this.#folder !== null) return this.#folder;
    throw new TroveError('not_available', 'Uploads are not accepted here: no folder is set up', {
      suggestions: ['Give the engine a folder for them: `uploads: { folder }`.'],
    });
  }
}
