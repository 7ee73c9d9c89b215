import type { GrepItem, GrepRequest } from '@trove/core';

import { commitRecords, logPath, type History } from './commits.js';
import type { Repository } from './repository.js';

/** Searches the messages, authors and ids of commits for a literal text. */
export async function* grepCommits(
  repository: Repository,
  history: History,
  { pattern, limit, signal }: Pick<GrepRequest, 'pattern' | 'limit' | 'signal'>,
): AsyncGenerator<GrepItem> {
  yield { notice: 'Only messages, authors and ids of commits were searched, not their changes.' };
  let left = limit;
  if (left <= 0) return;
  for await (const { key, fields, text = '' } of commitRecords(
    repository,
    history,
    { messages: true },
    signal,
  )) {
    const lines = [...text.split('\n'), ...Object.values(fields).map(String)];
    const content = lines.find((line) => line.includes(pattern));
    if (content === undefined) continue;
    yield { path: logPath, key, content };
    if (--left === 0) return;
  }
}
