import { randomBytes } from 'node:crypto';
import type { Entry, SourceRecord } from '@trove/core';
import { demotedReasonField } from '@trove/core/index';

import { hideLeftOutFiles } from './patch.js';
import type { Repository } from './repository.js';
import type { RepositoryRules } from './rules.js';
import { splitAt } from './split.js';

/** The folder of the source with the history, and the only object in it. */
export const commitsFolder = 'commits';
export const logName = 'log.jsonl';
export const logPath = `${commitsFolder}/${logName}`;

/** Limit for the message and diff of a commit. */
const maxSectionBytes = 256 * 1024;
const maxDiffChars = 16 * 1024;

/** A commit and its newest ancestors. */
export interface History {
  readonly tip: string;
  /** Maximum number of commits. */
  readonly commits: number;
  /** The files to leave out of diffs. */
  readonly rules: RepositoryRules;
}

export interface CommitSelection {
  readonly offset?: number;
  readonly limit?: number;
  /** Returns only messages, which takes a hundredth of the time. */
  readonly messages?: boolean;
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

/** Returns the ids of the commits, newest first. */
export async function commitIds(
  repository: Repository,
  { tip, commits }: History,
  signal: AbortSignal,
): Promise<string[]> {
  const args = repository.args('rev-list', `--max-count=${commits}`, tip, '--');
  const ids = await repository.git.text(args, { signal });
  return ids.split('\n').filter((id) => id !== '');
}

/** Yields the commits, newest first. */
export function commitRecords(
  repository: Repository,
  { tip, commits, rules }: History,
  { offset = 0, limit = Infinity, messages = false }: CommitSelection,
  signal: AbortSignal,
): AsyncGenerator<SourceRecord> {
  const count = Math.max(0, Math.min(limit, commits - offset));
  const selection = [`--skip=${offset}`, `--max-count=${count}`, tip, '--'];
  return readLog(repository, rules, selection, messages, { signal });
}

/** Yields commits by their ids, in that order. */
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
  selection: readonly string[],
  messages: boolean,
  options: { readonly signal: AbortSignal; readonly input?: string },
): AsyncGenerator<SourceRecord> {
  // The author of a commit cannot guess the separator.
  const separator = randomBytes(16).toString('hex');
  const fields = ['%H', '%an', '%ae', '%at', '%B', ''].join('%x00');
  const format = `--format=${separator}${fields}`;
  const diffOptions = messages ? ['--no-patch'] : patchOptions;
  const log = repository.args(
    'log',
    format,
    '--encoding=UTF-8',
    '--no-color',
    ...diffOptions,
    ...selection,
  );
  // Git shows larger files as binary.
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
  const trimmed = message.trim();
  const text = [trimmed, shortenDiff(hideLeftOutFiles(rest.join('\0').trim(), rules).trim())]
    .filter((part) => part !== '')
    .join('\n\n');
  const [subject = ''] = trimmed.split('\n');
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
  return `${diff.slice(0, end === -1 ? maxDiffChars : end)}\n… the rest is omitted`;
}
