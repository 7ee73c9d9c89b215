import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RecordsOptions, SourceRecord } from '@trove/core';

import { collect } from '@trove/test-support/collect.js';
import { calm, changed, found, withRepositories, type Repositories } from './repository.js';

const test = suite('git connector, commits');
const path = 'commits/log.jsonl';

type Opened = Awaited<ReturnType<Repositories['open']>>;

function log({ records }: Opened, some: Partial<RecordsOptions> = {}): Promise<SourceRecord[]> {
  return collect(records(path, { signal: calm(), ...some }));
}

function titles(records: readonly SourceRecord[]): (string | undefined)[] {
  return records.map(({ title }) => title);
}

function commits(repositories: Repositories, count: number): void {
  repositories.init('r');
  for (let at = 1; at <= count; at++) {
    repositories.write('r/a.md', `text ${at}\n`);
    repositories.commit('r', `number ${at}`);
  }
}

test(
  'shows the configured number of newest commits',
  withRepositories(async (repositories) => {
    commits(repositories, 5);
    const connector = await repositories.open('r', { commits: 3 });
    assert.equal(titles(await log(connector)), ['number 5', 'number 4', 'number 3']);
    assert.equal(titles(await log(connector, { offset: 2, limit: 9 })), ['number 3']);
    assert.equal(titles(await log(connector, { offset: 3 })), []);
    const older = repositories.git('r', 'rev-parse', 'HEAD~3');
    for (const commit of [older, older.slice(0, 8), 'HEAD', '--all', 7])
      assert.equal(await log(connector, { key: { commit } }), [], String(commit));
    const none = await repositories.open('r', { commits: 0 });
    await log(none).then(
      () => assert.unreachable(),
      ({ code }) => assert.is(code, 'not_found'),
    );
  }),
);

test(
  'reports new commits, and removes old and rewritten ones',
  withRepositories(async (repositories) => {
    commits(repositories, 5);
    const connector = await repositories.open('r', { commits: 3 });
    const { cursor } = await changed(connector, undefined);
    assert.equal((await changed(connector, cursor)).changes, []);
    const [third, fifth] = ['HEAD~2', 'HEAD'].map((ref) => repositories.git('r', 'rev-parse', ref));
    repositories.git('r', 'commit', '-q', '--amend', '-m', 'number 5, rewritten');
    repositories.write('r/a.md', 'text 6\n');
    repositories.commit('r', 'number 6');
    const { changes } = await changed(connector, cursor);
    const [change] = changes.filter((each) => 'records' in each);
    assert.is(change?.path, path);
    assert.equal(titles(change?.records ?? []), ['number 6', 'number 5, rewritten']);
    assert.equal(new Set(change?.removedKeys.map(({ commit }) => commit)), new Set([third, fifth]));
    // Another number of commits requires a new listing.
    const other = await repositories.open('r', { commits: 4 });
    assert.equal((await changed(other, cursor)).changes[0], { reset: true });
    const choosier = await repositories.open('r', { commits: 3, ignore: ['*.txt'] });
    assert.equal((await changed(choosier, cursor)).changes[0], { reset: true });
  }),
);

test(
  'returns a commit of any size and content as one record',
  withRepositories(async (repositories) => {
    commits(repositories, 1);
    repositories.write('r/huge.txt', 'one of many lines\n'.repeat(40_000));
    repositories.write('r/nul.txt', `${'x\n'.repeat(9000)}\0 after all\n`);
    repositories.commit('r', `Große Änderung\n\n${'long '.repeat(100)}`);
    repositories.git('r', 'commit', '-q', '--allow-empty', '--allow-empty-message', '-m', '');
    repositories.git('r', 'checkout', '-q', '-b', 'side', 'HEAD~1');
    repositories.write('r/side.md');
    repositories.commit('r', 'aside');
    repositories.git('r', 'checkout', '-q', 'main');
    repositories.git('r', 'merge', '-q', '--no-ff', '-m', 'both', 'side');
    const connector = await repositories.open('r', { commits: 100 });
    const records = await log(connector);
    assert.equal(
      new Set(titles(records)),
      new Set(['both', 'aside', undefined, 'Große Änderung', 'number 1']),
    );
    const [large] = records.filter(({ title }) => title === 'Große Änderung');
    assert.ok((large?.text ?? '').length < 18_000);
    assert.match(large?.text ?? '', /^Große Änderung\n\nlong .*\n\ndiff --git a\/huge.txt/);
    assert.match(large?.text ?? '', /\n… the rest is omitted$/);
    assert.is(records.find(({ title }) => title === 'both')?.text, 'both');
    for (const record of records) assert.equal(await log(connector, { key: record.key }), [record]);
  }),
);

test(
  'shows no diffs of left-out files',
  withRepositories(async (repositories) => {
    commits(repositories, 1);
    for (const file of ['a.md', '.env', 'straße/.env', 'a b/x.pem', 'drafts/plan.md', 'q"q/.npmrc'])
      repositories.write(`r/${file}`, `words of ${file}\n`);
    repositories.commit('r', 'much');
    repositories.git('r', 'mv', '.env', 'settings.md');
    repositories.write('r/settings.md', 'words of .env\nand more\n');
    repositories.commit('r', 'moved');
    const shown = async (ignore: readonly string[]): Promise<string> => {
      const connector = await repositories.open('r', { commits: 2, ignore });
      return (await log(connector)).map(({ text }) => text).join('\n');
    };
    const plain = await shown([]);
    assert.match(plain, /\+words of a\.md/);
    assert.match(plain, /\+words of drafts/);
    assert.match(plain, /^diff --git a\/\.env b\/\.env$/m);
    assert.not.match(plain, /words of (?:.*\.env|.*\.pem|.*\.npmrc)/);
    const chosen = await shown(['drafts/', '!.env']);
    assert.match(chosen, /\+words of \.env/);
    assert.match(chosen, /\+words of straße\/\.env/);
    assert.not.match(chosen, /words of drafts/);
    assert.not.match(chosen, /\.pem$\n.*words/m);
  }),
);

test(
  'searches messages and authors, and notes that changes are not searched',
  withRepositories(async (repositories) => {
    commits(repositories, 12);
    const connector = await repositories.open('r', { commits: 100 });
    const commit = repositories.git('r', 'rev-parse', 'HEAD~9');
    const notice = {
      notice: 'Only messages, authors and ids of commits were searched, not their changes.',
    };
    assert.equal(await found(connector, 'number 3', 'commits'), [
      notice,
      { path, key: { commit }, content: 'number 3' },
    ]);
    assert.is((await found(connector, 'Ada Lovelace', path)).length, 13);
    assert.equal(await found(connector, 'number 3', 'files'), []);
    assert.equal(await found(connector, 'text 3', ''), [notice]);
  }),
);

test.run();
