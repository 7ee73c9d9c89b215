import type { GrepItem, GrepRequest } from '@trove/core';

import { commitRecords, logPath, type History } from './commits.js';
import type { Repository } from './repository.js';

/** Commits of which the message, the author or the id holds a text literally. */
export async function* grepCommits(
  repository: Repository,
  history: History,
  { pattern, limit, signal }: Pick<GrepRequest, 'pattern' | 'limit' | 'signal'>,
): AsyncGenerator<GrepItem> {
  yield { notice: 'Of commits, messages and names were searched, not what they changed.' };
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
