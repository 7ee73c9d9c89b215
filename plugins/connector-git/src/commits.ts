import { randomBytes } from 'node:crypto';
import type { Entry, SourceRecord } from '@trove/core';
import { demotedReasonField } from '@trove/core/index';

import { hideLeftOutFiles } from './patch.js';
import type { Repository } from './repository.js';
import type { RepositoryRules } from './rules.js';
import { splitAt } from './split.js';

/** The folder of the source that holds the history, and the one object in it. */
export const commitsFolder = 'commits';
export const logName = 'log.jsonl';
export const logPath = `${commitsFolder}/${logName}`;

/** Of the message and the difference of a commit, so much is read, in bytes; of the difference, so much is kept. */
const maxSectionBytes = 256 * 1024;
const maxDiffChars = 16 * 1024;

/** The newest commits that lead to a commit, that one included. */
export interface History {
  readonly tip: string;
  /** At most so many. */
  readonly commits: number;
  /** What is not shown of their differences. */
  readonly rules: RepositoryRules;
}

export interface CommitSelection {
  readonly offset?: number;
  readonly limit?: number;
  /** Only their messages, which takes a hundredth of the time. */
  readonly messages?: boolean;
}

/** Ids are as long as their hash: SHA-1 or SHA-256. */
export function isCommitId(value: unknown): value is string {
  return typeof value === 'string' && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value);
}

export function logEntry({ tip, commits, rules }: History): Entry {
  return {
    path: logPath,
    kind: 'record_collection',
    size: null,
    modifiedAt: null,
    fingerprint: `${tip} ${commits}${rules.key}`,
    title: 'Commits',
    keyFields: ['commit'],
    fields: { [demotedReasonField]: 'commit' },
  };
}

/** Ids of the commits, newest first. */
export async function commitIds(
  repository: Repository,
  { tip, commits }: History,
  signal: AbortSignal,
): Promise<string[]> {
  const args = repository.args('rev-list', `--max-count=${commits}`, tip, '--');
  const ids = await repository.git.text(args, { signal });
  return ids.split('\n').filter((id) => id !== '');
}

/** The commits, newest first. */
export function commitRecords(
  repository: Repository,
  { tip, commits, rules }: History,
  { offset = 0, limit = Infinity, messages = false }: CommitSelection,
  signal: AbortSignal,
): AsyncGenerator<SourceRecord> {
  const count = Math.max(0, Math.min(limit, commits - offset));
  const which = [`--skip=${offset}`, `--max-count=${count}`, tip, '--'];
  return readLog(repository, rules, which, messages, { signal });
}

/** Commits by their ids, in that order. */
export function commitsById(
  repository: Repository,
  ids: readonly string[],
  rules: RepositoryRules,
  signal: AbortSignal,
): AsyncGenerator<SourceRecord> {
  const input = ids.map((id) => `${id}\n`).join('');
  return readLog(repository, rules, ['--no-walk=unsorted', '--stdin'], false, { signal, input });
}

async function* readLog(
  repository: Repository,
  rules: RepositoryRules,
  which: readonly string[],
  messages: boolean,
  options: { readonly signal: AbortSignal; readonly input?: string },
): AsyncGenerator<SourceRecord> {
  // Nobody who wrote a commit could know it.
  const separator = randomBytes(16).toString('hex');
  const fields = ['%H', '%an', '%ae', '%at', '%B', ''].join('%x00');
  const format = `--format=${separator}${fields}`;
  const what = messages ? ['--no-patch'] : patchOptions;
  const log = repository.args('log', format, '--encoding=UTF-8', '--no-color', ...what, ...which);
  // Files above it are shown as binary.
  const args = ['-c', 'core.bigFileThreshold=1m', ...log];
  const sections = splitAt(
    Buffer.from(separator),
    repository.git.bytes(args, options),
    maxSectionBytes,
  );
  for await (const section of sections) {
    if (section.length > 0) yield recordOf(section.toString('utf8'), rules);
  }
}

const patchOptions: readonly string[] = [
  '--patch',
  '--no-ext-diff',
  '--no-textconv',
  '--find-renames',
  '--unified=3',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--submodule=short',
];

function recordOf(section: string, rules: RepositoryRules): SourceRecord {
  const [id = '', author = '', email = '', seconds = '', message = '', ...rest] =
    section.split('\0');
  const at = Number(seconds) * 1000;
  const said = message.trim();
  const text = [said, shortenDiff(hideLeftOutFiles(rest.join('\0').trim(), rules).trim())]
    .filter((part) => part !== '')
    .join('\n\n');
  const [subject = ''] = said.split('\n');
  const record = {
    key: { commit: id },
    fields: { commit: id, author, email, date: dateOf(at) },
    text,
    at,
    version: id + rules.key,
  };
  return {
    ...record,
    ...(subject === '' ? {} : { title: subject.slice(0, 200) }),
    ...(author === '' ? {} : { author }),
  };
}

function dateOf(at: number): string | null {
  return Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : null;
}

function shortenDiff(diff: string): string {
  if (diff.length <= maxDiffChars) return diff;
  const end = diff.lastIndexOf('\n', maxDiffChars);
  return `${diff.slice(0, end === -1 ? maxDiffChars : end)}\n… the rest is left out`;
}
