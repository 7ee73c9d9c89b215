import { isTroveError } from '@trove/core';
import type { BrowseEntry, Change, Connector, Entry, GrepItem, Health } from '@trove/core';

import { changedFiles } from './changes.js';
import { browseFiles, filesFolder, itemAt, listFiles, pathInTree, readFile } from './files.js';
import { grepFiles } from './grep.js';
import { Repository, type Context } from './repository.js';
import { entryOf } from './tree.js';

/** A source of what a git repository holds at one ref. */
export function createGitConnector(context: Context): Connector {
  const { error } = context;
  const sources = new OpenRepository(context);
  const notFound = (path: string): Error => error('not_found', `There is nothing at "${path}".`);

  async function* list(signal: AbortSignal): AsyncGenerator<Entry> {
    const { repository, tip } = await sources.now(signal);
    if (tip !== null) yield* listFiles(repository, tip, signal);
  }

  return {
    list: ({ signal }) => list(signal),

    async *changes({ cursor, commit, signal }): AsyncGenerator<Change> {
      const { repository, tip } = await sources.now(signal);
      const before = cursor === undefined ? null : await commitOf(repository, cursor);
      if (before === null || tip === null) {
        if (cursor !== undefined) yield { reset: true };
        if (tip !== null)
          for await (const entry of listFiles(repository, tip, signal)) yield { entry };
      } else if (before !== tip) yield* changedFiles(repository, [before, tip], signal);
      commit({ commit: tip });
    },

    async read(path, { signal }) {
      const { repository, tip } = await sources.now(signal);
      const file = pathInTree(path);
      const content =
        tip === null || file === null ? null : await readFile(repository, tip, file, signal);
      if (content === null) throw notFound(path);
      return content;
    },

    async *browse(path, { signal }): AsyncGenerator<BrowseEntry> {
      const { repository, tip } = await sources.now(signal);
      if (path === '') {
        yield { name: filesFolder, type: 'dir', size: null, modifiedAt: null };
        return;
      }
      const file = pathInTree(path);
      if (file === null) throw notFound(path);
      let isThere = file === '';
      if (tip !== null) {
        for await (const entry of browseFiles(repository, tip, file, signal)) {
          isThere = true;
          yield entry;
        }
      }
      if (!isThere) throw notFound(path);
    },

    async stat(path, { signal }) {
      const { repository, tip } = await sources.now(signal);
      const file = pathInTree(path);
      if (tip === null || file === null || file === '') return null;
      const item = await itemAt(repository, tip, file, signal);
      return item === null || item.type === 'tree' ? null : entryOf(repository, filesFolder, item);
    },

    async *grep(request): AsyncGenerator<GrepItem> {
      const { repository, tip } = await sources.now(request.signal);
      const path = request.path === '' ? '' : pathInTree(request.path);
      if (tip !== null && path !== null) yield* grepFiles(repository, tip, path, request);
    },

    async check({ signal }): Promise<Health> {
      try {
        const { tip } = await sources.now(signal);
        const detail =
          tip === null
            ? 'A repository without commits.'
            : `A repository, at the commit ${tip.slice(0, 12)}.`;
        return { ok: true, detail };
      } catch (problem) {
        if (!isTroveError(problem)) throw problem;
        return { ok: false, detail: [problem.detail, ...problem.suggestions].join(' ') };
      }
    },

    close: () => sources.close(),
  };
}

/** The commit of a cursor, null when it is none that the repository has. */
async function commitOf(repository: Repository, cursor: unknown): Promise<string | null> {
  if (typeof cursor !== 'object' || cursor === null || !('commit' in cursor)) return null;
  const { commit } = cursor;
  if (typeof commit !== 'string' || !/^[0-9a-f]{40,64}$/.test(commit)) return null;
  const found = await repository.facts(`${commit}^{commit}`);
  return found?.id ?? null;
}

/** Opens the repository when it is first needed, and again after a failure. */
class OpenRepository {
  readonly #context: Context;
  #repository: Promise<Repository> | null = null;

  constructor(context: Context) {
    this.#context = context;
  }

  /** The repository, and the commit that its ref is at right now. */
  async now(signal: AbortSignal): Promise<{ repository: Repository; tip: string | null }> {
    signal.throwIfAborted();
    const opening = (this.#repository ??= Repository.open(this.#context));
    opening.catch(() => {
      if (this.#repository === opening) this.#repository = null;
    });
    const repository = await opening;
    return { repository, tip: await repository.tip(signal) };
  }

  async close(): Promise<void> {
    const repository = await this.#repository?.catch(() => null);
    repository?.close();
  }
}
