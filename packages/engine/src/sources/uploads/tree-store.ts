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

/** Distinguishes this process from an earlier one with the same id, as after a restart of a container. */
const processNonce = randomBytes(6).toString('hex');
/** No upload takes longer. Processes on other machines cannot be checked. */
const abandonedAfterMs = 24 * 60 * 60 * 1000;
/** A transaction on a lost connection may still make a tree current within this time. */
const settledAfterMs = 60 * 60 * 1000;

/** The token of `TreeStore` in an engine's container. */
export const TreeStoreToken = createToken<TreeStore>('engine.tree_store');

/**
 * The folder with uploaded files of the sources of one database. Each version of a source's files is a tree, and the source
 * names its current tree. Changing that name switches versions atomically. A tree that no source names is in progress, has
 * been replaced, or is left by a process that died. Its name contains the process id.
 */
@injectable()
export class TreeStore {
  readonly #folder: string | null;
  readonly #threads: UploadThreads;
  readonly #space: Promise<string>;
  /** Trees in progress in this process. */
  readonly #inProgress = new Set<string>();

  /** Null: uploads are not accepted. */
  constructor(
    @inject(UploadFolderToken) folder: string | null,
    @inject(UploadThreadsToken) threads: UploadThreads,
    @inject(SettingsToken) settings: EngineSettings,
  ) {
    this.#folder = folder;
    this.#threads = threads;
    this.#space = readProcessSpace(settings.machineId);
  }

  /** Returns the absolute path of a tree. */
  folderOf(tree: string): string {
    return join(this.#root(), tree);
  }

  /** Returns the absolute path of a tree's files. */
  filesOf(tree: string): string {
    return join(this.folderOf(tree), 'files');
  }

  /**
   * Creates an empty tree and runs `work` with its name. The tree is not swept until `work` ends. Throws
   * `storage_unavailable`.
   */
  async create<T>(work: (tree: string) => Promise<T>): Promise<T> {
    const tree = [
      await this.#space,
      process.pid,
      processNonce,
      randomBytes(6).toString('hex'),
    ].join('.');
    this.#inProgress.add(tree);
    try {
      await this.#begin(tree);
      return await work(tree);
    } finally {
      this.#inProgress.delete(tree);
    }
  }

  async #begin(tree: string): Promise<void> {
    try {
      await makeFolder(this.#root());
      await mkdir(this.filesOf(tree), { recursive: true, mode: 0o700 });
    } catch (error) {
      // Node reports ENOENT for a read-only disk, too.
      throw explainDiskError(error, 'its folder cannot be made');
    }
  }

  /** Removes trees that exist. */
  async remove(trees: readonly string[]): Promise<void> {
    const folders = trees.map((tree) => this.folderOf(tree)).filter((folder) => existsSync(folder));
    if (folders.length > 0) await this.#threads.run('remove', { folders });
  }

  /** Deletes trees that no source names and no process is writing. */
  async sweep(sources: Pick<ConnectorRegistry, 'list'>): Promise<void> {
    if (this.#folder === null) return;
    const trees = await readdir(this.#folder).catch(() => []);
    const abandoned: string[] = [];
    for (const tree of trees) if (await this.#isAbandoned(tree)) abandoned.push(tree);
    // Read after the trees, because a process may make its tree current until it ends.
    const current = new Set((await sources.list()).map((record) => record.tree));
    await this.remove(abandoned.filter((tree) => !current.has(tree)));
  }

  async #isAbandoned(tree: string): Promise<boolean> {
    const [space, pid, nonce] = tree.split('.');
    if (space !== (await this.#space)) return (await this.#ageOf(tree)) > abandonedAfterMs;
    if (Number(pid) !== process.pid) return !isAlive(Number(pid));
    if (nonce !== processNonce) return true;
    return !this.#inProgress.has(tree) && (await this.#ageOf(tree)) > settledAfterMs;
  }

  /** Returns the milliseconds since the tree was finished. */
  async #ageOf(tree: string): Promise<number> {
    const { mtimeMs } = await stat(this.folderOf(tree)).catch(() => ({ mtimeMs: Date.now() }));
    return Date.now() - mtimeMs;
  }

  #root(): string {
    if (this.#folder !== null) return this.#folder;
    throw new TroveError('not_available', 'Uploads are not accepted: no folder is configured', {
      suggestions: ['Set the option `uploads: { folder }` of the engine.'],
    });
  }
}
