import type { Change } from '@trove/core';

import { commitIds, commitsById, logEntry, logPath, type History } from './commits.js';
import { withTimes, type PendingFiles, type TimesRequest } from './file-times.js';
import { filesFolder } from './files.js';
import type { Repository } from './repository.js';
import type { RepositoryRules } from './rules.js';
import { splitAtNul } from './split.js';
import { entryOf, toTreeItem } from './tree.js';

/** Yields the files that differ between any two commits, removed ones first. */
export async function* changedFiles(
  repository: Repository,
  [from, to]: readonly [string, string],
  rules: RepositoryRules,
  request: TimesRequest,
): AsyncGenerator<Change> {
  const { signal } = request;
  const pending: PendingFiles = new Map();
  const args = repository.args(
    'diff-tree',
    '-r',
    '-z',
    '--raw',
    '--no-renames',
    '--no-abbrev',
    from,
    to,
    '--',
  );
  let fields: string[] = [];
  for await (const part of splitAtNul(repository.git.bytes(args, { signal }))) {
    if (fields.length === 0) {
      fields = part.toString('latin1').replace(/^:/, '').split(' ');
      continue;
    }
    const [, mode = '', , id = '', status] = fields;
    fields = [];
    const isFile = mode !== '160000';
    const size =
      status === 'D' || !isFile ? null : ((await repository.objectInfo(id))?.size ?? null);
    const item = toTreeItem(mode, isFile ? 'blob' : 'commit', id, size, part);
    if (rules.isLeftOut(item.path)) continue;
    if (status === 'D') yield { removed: `${filesFolder}/${item.path}` };
    else pending.set(item.key, item);
  }
  // The second range is for content that an older commit introduced, as after a reset.
  const ranges = [[to, `^${from}`], [to]];
  for await (const [item, time] of withTimes(repository, pending, ranges, request))
    yield { entry: await entryOf(repository, filesFolder, item, time) };
}

/** More new commits than this are streamed and compared with the stored records. */
const maxCommitChanges = 500;

/** Yields the commits that differ between two states of the history. */
export async function* changedCommits(
  repository: Repository,
  before: History,
  now: History,
  signal: AbortSignal,
): AsyncGenerator<Change> {
  const [old, current] = [
    new Set(await commitIds(repository, before, signal)),
    await commitIds(repository, now, signal),
  ];
  const added = current.filter((id) => !old.delete(id));
  if (added.length > maxCommitChanges) {
    yield { entry: logEntry(now) };
    return;
  }
  const removedKeys = Array.from(old, (commit) => ({ commit }));
  const records = [];
  for await (const record of commitsById(repository, added, now.rules, signal))
    records.push(record);
  if (records.length + removedKeys.length > 0) yield { path: logPath, records, removedKeys };
}
