import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, symlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Change, Entry } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { withTimes, type SearchedRepository } from '../src/file-times.js';
import { calm, changed, listed, withRepositories, type Repositories } from './repository.js';

const test = suite('git connector, times of files');

/** Sets the time of new commits, in seconds. Their authors wrote them much earlier. */
function setTime(repositories: Repositories, seconds: number): void {
  repositories.time = {
    GIT_AUTHOR_DATE: `@${seconds - 100_000} +0000`,
    GIT_COMMITTER_DATE: `@${seconds} +0530`,
  };
}

const start = 1_500_000_000;

/** Commits all files of the folder `r`, some seconds after the start. */
function commitAt(repositories: Repositories, seconds: number): string {
  setTime(repositories, start + seconds);
  return repositories.commit('r');
}

/** Returns the seconds after the start by path, ordered by path. */
function secondsOf(entries: readonly Entry[]): Record<string, number | null> {
  const times = entries.map(({ path, modifiedAt }): [string, number | null] => [
    path.replace('files/', ''),
    modifiedAt === null ? null : modifiedAt / 1000 - start,
  ]);
  return Object.fromEntries(times.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function entriesOf(changes: readonly Change[]): Entry[] {
  return changes.flatMap((change) => ('entry' in change ? [change.entry] : []));
}

async function timesOf(
  repositories: Repositories,
  folder = 'r',
): Promise<Record<string, number | null>> {
  return secondsOf(await listed(await repositories.open(folder)));
}

test(
  'states the committer time of the last commit of each file',
  withRepositories(async (repositories) => {
    repositories.init('r');
    for (const file of ['a.md', 'deep/b.md', 'mode.sh', 'moved.md', 'reverted.md'])
      repositories.write(`r/${file}`);
    commitAt(repositories, 10);
    repositories.write('r/deep/b.md', 'other\n');
    repositories.write('r/reverted.md', 'other\n');
    commitAt(repositories, 20);
    repositories.write('r/reverted.md');
    repositories.git('r', 'mv', 'moved.md', 'deep/renamed.md');
    commitAt(repositories, 30);
    repositories.git('r', 'update-index', '--chmod=+x', 'mode.sh');
    setTime(repositories, start + 40);
    repositories.git('r', 'commit', '-q', '-m', 'mode');
    repositories.git('r', 'commit', '-q', '-m', 'nothing', '--allow-empty');
    assert.equal(await timesOf(repositories), {
      'a.md': 10,
      'deep/b.md': 20,
      'deep/renamed.md': 30,
      'mode.sh': 40,
      'reverted.md': 30,
    });
  }),
);

test(
  'gives merged files the time of the commit on the branch',
  withRepositories(async (repositories) => {
    repositories.init('r');
    for (const file of ['both.md', 'dropped.md', 'main.md', 'side.md'])
      repositories.write(`r/${file}`);
    commitAt(repositories, 10);
    repositories.git('r', 'checkout', '-q', '-b', 'side');
    for (const file of ['both.md', 'dropped.md', 'new.md', 'side.md'])
      repositories.write(`r/${file}`, 'of the branch\n');
    commitAt(repositories, 30);
    repositories.git('r', 'checkout', '-q', 'main');
    for (const file of ['both.md', 'dropped.md', 'main.md'])
      repositories.write(`r/${file}`, 'of main\n');
    commitAt(repositories, 20);
    const connector = await repositories.open('r');
    const { cursor } = await changed(connector, undefined);
    repositories.git('r', 'merge', '-q', '-s', 'ours', '--no-commit', 'side');
    for (const file of ['new.md', 'side.md']) repositories.git('r', 'checkout', 'side', '--', file);
    repositories.write('r/both.md', 'of both\n');
    commitAt(repositories, 50);
    const expected = { 'both.md': 50, 'new.md': 30, 'side.md': 30 };
    assert.equal(secondsOf(await listed(connector)), {
      ...expected,
      'dropped.md': 20,
      'main.md': 20,
    });
    const { changes } = await changed(connector, cursor);
    assert.equal(secondsOf(entriesOf(changes)), expected);
  }),
);

test(
  'states the times of changes after new commits and a force push',
  withRepositories(async (repositories) => {
    repositories.init('r');
    for (const file of ['a.md', 'b.md', 'c.md']) repositories.write(`r/${file}`);
    commitAt(repositories, 10);
    const connector = await repositories.open('r');
    const first = await changed(connector, undefined);
    repositories.write('r/b.md', 'second\n');
    commitAt(repositories, 20);
    repositories.write('r/b.md', 'third\n');
    commitAt(repositories, 30);
    const second = await changed(connector, first.cursor);
    assert.equal(secondsOf(entriesOf(second.changes)), { 'b.md': 30 });
    // Only the commit before the lost ones introduced this content of b.md.
    repositories.git('r', 'reset', '-q', '--hard', 'HEAD~2');
    repositories.write('r/c.md', 'rewritten\n');
    commitAt(repositories, 25);
    const third = await changed(connector, second.cursor);
    assert.equal(secondsOf(entriesOf(third.changes)), { 'b.md': 10, 'c.md': 25 });
    repositories.git('r', 'checkout', '-q', '--orphan', 'other');
    repositories.write('r/c.md', 'unrelated\n');
    commitAt(repositories, 60);
    repositories.git('r', 'branch', '-q', '-M', 'other', 'main');
    const fourth = await changed(connector, third.cursor);
    assert.equal(secondsOf(entriesOf(fourth.changes)), { 'c.md': 60 });
  }),
);

test(
  'searches only the new commits for the times of changes',
  withRepositories(async (repositories) => {
    repositories.init('r');
    repositories.write('r/a.md');
    const lost = commitAt(repositories, 10);
    repositories.write('r/a.md', 'second\n');
    commitAt(repositories, 20);
    repositories.git('r', 'checkout', '-q', '-b', 'side');
    repositories.write('r/c.md');
    commitAt(repositories, 15);
    repositories.git('r', 'checkout', '-q', 'main');
    repositories.write('r/b.md');
    commitAt(repositories, 30);
    const connector = await repositories.open('r');
    const { cursor } = await changed(connector, undefined);
    // A search of all commits would reach the damaged one before the older commit of the branch.
    setTime(repositories, start + 40);
    repositories.git('r', 'merge', '-q', '--no-ff', '-m', 'merge', 'side');
    const tree = repositories.git('r', 'rev-parse', `${lost}^{tree}`);
    rmSync(repositories.at(`r/.git/objects/${tree.slice(0, 2)}/${tree.slice(2)}`));
    assert.equal(secondsOf(entriesOf((await changed(connector, cursor)).changes)), { 'c.md': 15 });
  }),
);

test(
  'states no time for files from before the boundary of a shallow clone',
  withRepositories(async (repositories) => {
    repositories.init('r');
    for (const file of ['a.md', 'b.md', 'c.md']) repositories.write(`r/${file}`);
    commitAt(repositories, 10);
    repositories.write('r/b.md', 'second\n');
    commitAt(repositories, 20);
    repositories.write('r/c.md', 'second\n');
    commitAt(repositories, 30);
    const url = `file://${repositories.at('r')}`;
    repositories.git('', 'clone', '-q', '--depth=2', url, 'shallow');
    repositories.git('', 'clone', '-q', '--bare', '--depth=1', url, 'bare.git');
    // All files look new in a commit at the boundary.
    const unknown = { 'a.md': null, 'b.md': null };
    assert.equal(await timesOf(repositories, 'shallow'), { ...unknown, 'c.md': 30 });
    assert.equal(await timesOf(repositories, 'bare.git'), { ...unknown, 'c.md': null });
    assert.equal(await timesOf(repositories), { 'a.md': 10, 'b.md': 20, 'c.md': 30 });
  }),
);

test(
  'states times of links, submodules and odd names',
  withRepositories(async (repositories) => {
    repositories.init('r');
    const names = ['naïve 😀.md', 'new\nline "quoted" \\.md', ':100644 x.md', ' b.md', '\nc.md'];
    for (const name of names) repositories.write(`r/${name}`, 'text\n');
    commitAt(repositories, 10);
    symlinkSync('a.md', repositories.at('r/link'));
    repositories.write('r/bad\\xe9.md', 'x');
    execFileSync('sh', ['-c', 'printf x > "$(printf \'bad\\351.md\')"'], {
      cwd: repositories.at('r'),
    });
    commitAt(repositories, 20);
    repositories.write('r/bad\\xe9.md', 'y');
    repositories.write(`r/${names[0]}`, 'other\n');
    commitAt(repositories, 30);
    const [commit] = [repositories.git('r', 'rev-parse', 'HEAD')];
    repositories.git('r', 'update-index', '--add', '--cacheinfo', `160000,${commit},sub`);
    setTime(repositories, start + 40);
    repositories.git('r', 'commit', '-q', '-m', 'submodule');
    const times = (await listed(await repositories.open('r'))).map(
      ({ path, modifiedAt, skip }) =>
        `${(modifiedAt ?? 0) / 1000 - start} ${path.replace('files/', '')}${skip === undefined ? '' : ' (skipped)'}`,
    );
    assert.equal(
      times.toSorted(),
      [
        '10  b.md',
        '10 \nc.md',
        '10 :100644 x.md',
        '10 new\nline "quoted" \\.md',
        '20 bad\\xe9.md (skipped)',
        '20 link (skipped)',
        '30 bad\\xe9.md',
        '30 naïve 😀.md',
        '40 sub (skipped)',
      ].toSorted(),
    );
  }),
);

test(
  'states no time for a commit outside the range of dates',
  withRepositories(async (repositories) => {
    repositories.init('r');
    repositories.write('r/a.md');
    commitAt(repositories, 10);
    const commit = repositories.git('r', 'cat-file', 'commit', 'HEAD');
    repositories.write('commit', `${commit.replace(/(committer .*>) \d+/, '$1 99999999999999')}\n`);
    const id = repositories.git(
      'r',
      'hash-object',
      '-t',
      'commit',
      '-w',
      repositories.at('commit'),
    );
    repositories.git('r', 'update-ref', 'refs/heads/main', id);
    assert.equal(await timesOf(repositories), { 'a.md': null });
  }),
);

test(
  'lists files without a time if the history is damaged',
  withRepositories(async (repositories) => {
    repositories.init('r');
    repositories.write('r/a.md');
    const lost = commitAt(repositories, 10);
    repositories.write('r/b.md');
    commitAt(repositories, 20);
    repositories.write('r/c.md');
    commitAt(repositories, 30);
    const tree = repositories.git('r', 'rev-parse', `${lost}^{tree}`);
    rmSync(repositories.at(`r/.git/objects/${tree.slice(0, 2)}/${tree.slice(2)}`));
    const { list } = await repositories.open('r');
    const warnings: string[] = [];
    const warn = (sentence: string): void => void warnings.push(sentence);
    const entries: Entry[] = [];
    for await (const item of list({ signal: calm(), warn })) if ('path' in item) entries.push(item);
    assert.equal(secondsOf(entries), { 'a.md': null, 'b.md': null, 'c.md': 30 });
    assert.is(warnings.length, 1);
    assert.match(warnings[0] ?? '', /^The times of 2 files are unknown\. git failed: /);
  }),
);

test('ends a search that finds no time for too long', async () => {
  const item = { path: 'a.md', key: 'a.md', id: 'a'.repeat(40), size: 1, skip: null };
  const silent: SearchedRepository = {
    args: (...args) => [...args],
    objectContents: () => Promise.resolve(null),
    git: {
      async *bytes(_args, { signal }) {
        yield Buffer.from('');
        if (!signal.aborted) await once(signal, 'abort');
        signal.throwIfAborted();
      },
    },
  };
  const warnings: string[] = [];
  const request = {
    signal: calm(),
    maxSearchMs: 20,
    warn: (sentence: string) => void warnings.push(sentence),
  };
  const pending = new Map([['a.md', { ...item, type: 'blob' } as const]]);
  const dated = await collect(withTimes(silent, pending, [['HEAD']], request));
  assert.equal(
    dated.map(([{ path }, time]) => [path, time]),
    [['a.md', null]],
  );
  assert.equal(warnings, [
    'The time of 1 file is unknown. The search of the history took too long.',
  ]);
});

test(
  'ends git when a listing is aborted or abandoned',
  withRepositories(async (repositories) => {
    repositories.init('r');
    // Git cannot write this many names before a reader takes them.
    const long = 'n'.repeat(200);
    for (let at = 0; at < 2500; at++) repositories.write(`r/${long}${at}.md`, 'text\n');
    commitAt(repositories, 10);
    const { list } = await repositories.open('r');
    for (const isAborted of [true, false]) {
      const stopping = new AbortController();
      const entries = list({ signal: stopping.signal })[Symbol.asyncIterator]();
      await entries.next();
      assert.is(runningLogs().length, 1);
      if (isAborted) stopping.abort(new Error('stopped'));
      else await entries.return?.();
      for (let waited = 0; runningLogs().length > 0 && waited < 5000; waited += 50) await delay(50);
      assert.equal(runningLogs(), []);
      const rest = await collect({ [Symbol.asyncIterator]: () => entries }).catch(String);
      assert.equal(rest, isAborted ? 'Error: stopped' : []);
    }
  }),
);

/** Returns the git processes of this process that read the history. */
function runningLogs(): string[] {
  return execFileSync('ps', ['-A', '-o', 'ppid=,stat=,args='])
    .toString()
    .split('\n')
    .filter((line) => {
      const [parent, state = ''] = line.trim().split(/\s+/);
      return parent === String(process.pid) && !state.startsWith('Z') && / log -z /.test(line);
    });
}

test.run();
