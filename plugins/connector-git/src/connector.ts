import {
  describeError,
  isTroveError,
  TroveError,
  type BrowseEntry,
  type Change,
  type Connector,
  type Entry,
  type GrepItem,
  type Health,
  type SourceRecord,
} from '@trove/core';

import { changedCommits, changedFiles } from './changes.js';
import { isCommitId } from './commit-id.js';
import {
  commitIds,
  commitRecords,
  commitsById,
  commitsFolder,
  logEntry,
  logName,
  logPath,
  type History,
} from './commits.js';
import type { TimesRequest } from './file-times.js';
import { browseFiles, filesFolder, findItem, listFiles, pathInTree, readFile } from './files.js';
import { grepCommits } from './grep-commits.js';
import { grepFiles } from './grep.js';
import type { Repository } from './repository.js';
import { RepositoryRules } from './rules.js';
import type { RepositoryStates } from './states.js';
import { entryOf } from './tree.js';

/** The shown part of a repository: the number of newest commits, and the patterns of files to leave out. */
export interface ShownContent {
  readonly commits: number;
  readonly ignore: readonly string[];
}

/** Creates a source of the files and commits of a repository at one ref. */
export function createGitConnector(
  states: RepositoryStates,
  { commits, ignore }: ShownContent,
): Connector {
  const rules = new RepositoryRules(ignore);

  const notFound = (path: string): TroveError =>
    new TroveError('not_found', `There is nothing at "${path}".`);

  /** Returns the shown history; null if no commits are shown. */
  const historyOf = (tip: string | null): History | null =>
    tip === null || commits === 0 ? null : { tip, commits, rules };

  async function* listAll(
    repository: Repository,
    tip: string | null,
    request: TimesRequest,
  ): AsyncGenerator<Entry> {
    if (tip !== null) yield* listFiles(repository, tip, rules, request);
    const history = historyOf(tip);
    if (history !== null) yield logEntry(history);
  }

  return {
    async *list({ signal, warn }): AsyncGenerator<Entry> {
      const { repository, tip } = await states.latest(signal);
      yield* listAll(repository, tip, { signal, warn });
    },

    async *changes({ cursor, commit, signal, warn }): AsyncGenerator<Change> {
      const { repository, tip } = await states.latest(signal);
      const before = await commitOf(repository, cursor, { commits, rules });
      if (before === null || tip === null) {
        if (cursor !== undefined) yield { reset: true };
        for await (const entry of listAll(repository, tip, { signal, warn })) yield { entry };
      } else if (before !== tip) {
        yield* changedFiles(repository, [before, tip], rules, { signal, warn });
        const [old, now] = [historyOf(before), historyOf(tip)];
        if (old !== null && now !== null) yield* changedCommits(repository, old, now, signal);
      }
      commit({ commit: tip, commits, rules: rules.key });
    },

    async read(path, { signal }) {
      const { repository, tip } = await states.cached(signal);
      const file = pathInTree(path);
      const content =
        tip === null || file === null ? null : await readFile(repository, tip, file, signal);
      if (content === null) throw notFound(path);
      return content;
    },

    async *records(path, { signal, key, ...selection }): AsyncGenerator<SourceRecord> {
      const { repository, tip } = await states.cached(signal);
      const history = historyOf(tip);
      if (path !== logPath || history === null) throw notFound(path);
      if (key === undefined) yield* commitRecords(repository, history, selection, signal);
      else if (isCommitId(key['commit'])) {
        const ids = await commitIds(repository, history, signal);
        const requested = ids.filter((id) => id === key['commit']);
        if (requested.length > 0) yield* commitsById(repository, requested, rules, signal);
      }
    },

    async *browse(path, { signal }): AsyncGenerator<BrowseEntry> {
      const { repository, tip } = await states.cached(signal);
      const folder = { type: 'dir', size: null, modifiedAt: null } as const;
      const hasLog = historyOf(tip) !== null;
      if (path === '') {
        yield { name: filesFolder, ...folder };
        if (hasLog) yield { name: commitsFolder, ...folder };
        return;
      }
      if (hasLog && (path === commitsFolder || path === logPath)) {
        yield { name: logName, type: 'file', size: null, modifiedAt: null };
        return;
      }
      const file = pathInTree(path);
      if (file === null) throw notFound(path);
      let isFound = file === '';
      if (tip !== null) {
        for await (const entry of browseFiles(repository, tip, file, rules, signal)) {
          isFound = true;
          yield entry;
        }
      }
      if (!isFound) throw notFound(path);
    },

    async stat(path, { signal }) {
      const { repository, tip } = await states.cached(signal);
      const history = historyOf(tip);
      if (path === logPath && history !== null) return logEntry(history);
      const file = pathInTree(path);
      if (tip === null || file === null || file === '') return null;
      const item = await findItem(repository, tip, file, signal);
      return item === null || item.type === 'tree'
        ? null
        : entryOf(repository, filesFolder, item, null);
    },

    async *grep(request): AsyncGenerator<GrepItem> {
      const { repository, tip } = await states.cached(request.signal);
      const { path } = request;
      const file = path === '' ? '' : pathInTree(path);
      let left = request.limit;
      if (tip !== null && file !== null) {
        for await (const item of grepFiles(repository, tip, file, rules, request)) {
          if (!('notice' in item)) left--;
          yield item;
        }
      }
      const history = historyOf(tip);
      if (history !== null && ['', commitsFolder, logPath].includes(path))
        yield* grepCommits(repository, history, { ...request, limit: left });
    },

    async check({ signal }): Promise<Health> {
      try {
        return { ok: true, detail: await states.check(signal) };
      } catch (error) {
        if (!isTroveError(error)) throw error;
        return { ok: false, detail: describeError(error) };
      }
    },

    close: () => states.close(),
  };
}

/** Returns the commit of a cursor; null for another configuration or a commit that the repository lacks. */
async function commitOf(
  repository: Repository,
  cursor: unknown,
  { commits, rules }: Omit<History, 'tip'>,
): Promise<string | null> {
  if (typeof cursor !== 'object' || cursor === null) return null;
  if (!('commit' in cursor && 'commits' in cursor && 'rules' in cursor)) return null;
  if (cursor.commits !== commits || cursor.rules !== rules.key) return null;
  if (!isCommitId(cursor.commit)) return null;
  return (await repository.objectInfo(`${cursor.commit}^{commit}`))?.id ?? null;
}
