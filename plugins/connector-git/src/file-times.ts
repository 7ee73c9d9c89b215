import { describeError, isTroveError } from '@trove/core';

import type { Git } from './git.js';
import { OutputTimeout } from './output-timeout.js';
import type { Repository } from './repository.js';
import { splitAtNul } from './split.js';
import { keyOfName, type TreeItem } from './tree.js';

/** A listing fails after 120 s without an entry. */
const maxSearchMs = 60_000;
/** The largest time of a JavaScript date. */
const maxTimeMs = 8.64e15;

/** Files of a commit, by the keys of their names. */
export type PendingFiles = Map<string, TreeItem>;

/** The members of a repository that the search uses. */
export type SearchedRepository = Pick<Repository, 'args' | 'objectContents'> & {
  readonly git: Pick<Git, 'bytes'>;
};

export interface TimesRequest {
  readonly signal: AbortSignal;
  /** Milliseconds without a new time after which the search ends. Default: one minute. */
  readonly maxSearchMs?: number | undefined;
  /** Gets a sentence if the times of files remain unknown. Not called for shallow clones. */
  readonly warn?: ((sentence: string) => void) | undefined;
}

/**
 * Yields each file with the time of the newest commit that gave it its content or mode, in milliseconds since 1970. Takes
 * the files out of `pending`. Searches the ranges of commits in order, newest first, until all files have a time. The other
 * files follow with null.
 */
export async function* withTimes(
  repository: SearchedRepository,
  pending: PendingFiles,
  ranges: readonly (readonly string[])[],
  { signal, warn, maxSearchMs: searchMs = maxSearchMs }: TimesRequest,
): AsyncGenerator<readonly [TreeItem, number | null]> {
  const tooSlow = new AbortController();
  const timeout = new OutputTimeout(searchMs, () => tooSlow.abort());
  const limited = AbortSignal.any([signal, tooSlow.signal]);
  try {
    for (const range of ranges) {
      if (pending.size === 0) break;
      for await (const { key, id, time } of fileChanges(repository, range, limited)) {
        const item = pending.get(key);
        if (item?.id !== id) continue;
        pending.delete(key);
        timeout.pause();
        yield [item, time];
        timeout.resume();
        signal.throwIfAborted();
        if (pending.size === 0) break;
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!tooSlow.signal.aborted && !isTroveError(error)) throw error;
    // A clone may lack older commits, which does not affect its files.
    const reason = tooSlow.signal.aborted
      ? 'The search of the history took too long.'
      : describeError(error);
    const files =
      pending.size === 1 ? 'The time of 1 file is' : `The times of ${pending.size} files are`;
    warn?.(`${files} unknown. ${reason}`);
  } finally {
    timeout.stop();
  }
  for (const [key, item] of pending) {
    pending.delete(key);
    yield [item, null];
    signal.throwIfAborted();
  }
}

interface Commit {
  /** Null for a time outside the range of dates. */
  readonly time: number | null;
  /** Whether the repository lacks the parents, so all files look new. */
  readonly isBoundary: boolean;
}

interface FileChange {
  readonly key: string;
  /** The id of the new content. */
  readonly id: string;
  readonly time: number | null;
}

/**
 * Yields the files that each commit changed, newest commit first. A merge changed only the files that differ from all of its
 * parents. Skips commits at the boundary of a shallow clone.
 */
async function* fileChanges(
  repository: SearchedRepository,
  range: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<FileChange> {
  const args = repository.args('log', ...logOptions, ...range, '--');
  let commit: Commit | null = null;
  let id: string | null = null;
  for await (const part of splitAtNul(repository.git.bytes(args, { signal }))) {
    if (id !== null) {
      if (commit?.isBoundary === false) yield { key: keyOfName(part), id, time: commit.time };
      id = null;
      continue;
    }
    // Git separates a commit from its files by a line break or an empty part.
    const line = part.toString('latin1').trimStart();
    if (line === '') continue;
    if (line.startsWith(':')) id = line.split(' ').at(-2) ?? '';
    else commit = await parseCommit(repository, line);
  }
}

const logOptions: readonly string[] = [
  '-z',
  '--format=%H %ct %P',
  '--raw',
  // Compares a merge with all of its parents.
  '-c',
  '--root',
  '--no-abbrev',
  '--no-renames',
  '--ignore-submodules=none',
];

async function parseCommit(repository: SearchedRepository, line: string): Promise<Commit> {
  const [id = '', seconds = '', parent = ''] = line.split(' ');
  const time = seconds === '' ? NaN : Number(seconds) * 1000;
  return {
    time: Math.abs(time) <= maxTimeMs ? time : null,
    isBoundary: parent === '' && (await namesParent(repository, id)),
  };
}

/** Returns whether a commit names a parent, also one that a shallow clone hides. */
async function namesParent(repository: SearchedRepository, id: string): Promise<boolean> {
  const commit = await repository.objectContents(id);
  return /^tree [0-9a-f]+\nparent /.test(commit?.bytes.toString('latin1', 0, 150) ?? '');
}
