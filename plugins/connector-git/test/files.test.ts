import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { suite } from 'uvu';
import type { GrepItem } from '@trove/core';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import {
  calm,
  changed,
  found,
  listed,
  textAt,
  withRepositories,
  type Repositories,
} from './repository.js';

const test = suite('git connector, files');

test(
  'shows the files of any branch, tag and commit',
  withRepositories(async (repositories) => {
    repositories.init('r');
    repositories.write('r/a.md', 'first\n');
    const first = repositories.commit('r');
    repositories.git('r', 'tag', '-a', '-m', 'a tag', 'v1');
    repositories.write('r/a.md', 'second\n');
    repositories.commit('r');
    repositories.git('r', 'branch', 'straße/x');
    repositories.write('r/a.md', 'not committed\n');
    for (const [ref, text] of [
      ['v1', 'first\n'],
      [first, 'first\n'],
      [first.slice(0, 10), 'first\n'],
      ['straße/x', 'second\n'],
      ['HEAD', 'second\n'],
    ] as const) {
      const connector = await repositories.open('r', { ref });
      assert.is(await textAt(connector, 'files/a.md'), text, ref);
    }
  }),
);

test(
  'reads bare, shallow and linked repositories',
  withRepositories(async (repositories) => {
    repositories.init('r');
    repositories.write('r/a.md', 'text\n');
    repositories.commit('r');
    repositories.write('r/b.md', 'more\n');
    repositories.commit('r');
    repositories.git('', 'clone', '-q', '--bare', 'r', 'bare.git');
    repositories.git('', 'clone', '-q', '--depth=1', `file://${repositories.at('r')}`, 'shallow');
    repositories.git('r', 'worktree', 'add', '-q', '../linked', 'HEAD~1');
    const paths = async (folder: string): Promise<string[]> =>
      (await listed(await repositories.open(folder))).map(({ path }) => path).toSorted();
    assert.equal(await paths('bare.git'), ['files/a.md', 'files/b.md']);
    assert.equal(await paths('shallow'), ['files/a.md', 'files/b.md']);
    assert.equal(await paths('linked'), ['files/a.md']);
  }),
);

test(
  'leaves out secrets and generated files unless they are configured',
  withRepositories(async (repositories) => {
    repositories.init('r');
    const files = ['a.md', '.env', 'node_modules/x/index.js', 'drafts/b.md', 'certs/server.key'];
    for (const file of files) repositories.write(`r/${file}`, 'some words\n');
    repositories.commit('r');
    const paths = async (ignore: readonly string[]): Promise<string[]> =>
      (await listed(await repositories.open('r', { ignore }))).map(({ path }) => path);
    assert.equal(await paths([]), ['files/a.md', 'files/drafts/b.md']);
    const mine = ['/drafts', '!.env', '!node_modules/'];
    assert.equal(await paths(mine), ['files/.env', 'files/a.md', 'files/node_modules/x/index.js']);

    const connector = await repositories.open('r');
    const level = await collect(connector.browse('files', { signal: calm() }));
    assert.equal(
      level.map(({ name, skip }) => [name, skip?.split(/[;(]/)[0]]),
      [
        ['.env', '.env is ignored by ".env" '],
        ['a.md', undefined],
        ['certs', undefined],
        ['drafts', undefined],
        ['node_modules', 'node_modules is ignored by "node_modules/" '],
      ],
    );
    const [key] = await collect(connector.browse('files/certs', { signal: calm() }));
    assert.match(key?.skip ?? '', /^certs\/server\.key is ignored by "\*\.key"/);
    const hits = await found(connector, 'some words');
    assert.equal(
      hits.flatMap((hit) => ('path' in hit ? [hit.path] : [])),
      ['files/a.md', 'files/drafts/b.md'],
    );
    const { cursor } = await changed(connector, undefined);
    for (const file of ['.env', 'a.md']) repositories.write(`r/${file}`, 'other words\n');
    repositories.git('r', 'rm', '-q', '-r', 'certs');
    repositories.commit('r');
    const { changes } = await changed(connector, cursor);
    assert.equal(
      changes.map((change) => ('entry' in change ? change.entry.path : change)),
      ['files/a.md'],
    );
  }),
);

test(
  'lists submodules, links, LFS pointers and undecodable names as skipped',
  withRepositories(async (repositories) => {
    repositories.init('inner');
    repositories.write('inner/x.md');
    repositories.commit('inner');
    repositories.init('r');
    repositories.git(
      'r',
      '-c',
      'protocol.file.allow=always',
      'submodule',
      '--quiet',
      'add',
      '../inner',
      'sub',
    );
    symlinkSync('a.md', repositories.at('r/link'));
    const hash = 'a'.repeat(64);
    repositories.write(
      'r/big.psd',
      `version https://git-lfs.github.com/spec/v1\noid sha256:${hash}\nsize 123456789\n`,
    );
    repositories.write('r/looks.md', `${'text as long as a pointer '.repeat(6)}\n`);
    execFileSync('sh', ['-c', 'printf x > "$(printf \'bad\\351.md\')"'], {
      cwd: repositories.at('r'),
    });
    repositories.commit('r');
    const connector = await repositories.open('r');
    const skips = (await listed(connector)).map(({ path, skip }) => [path, skip?.split(/[,:]/)[0]]);
    assert.equal(skips, [
      ['files/.gitmodules', undefined],
      ['files/bad\\xe9.md', 'its name is not valid UTF-8'],
      ['files/big.psd', 'a pointer of Git LFS'],
      ['files/link', 'a symbolic link'],
      ['files/looks.md', undefined],
      ['files/sub', 'a submodule'],
    ]);
    const level = await collect(connector.browse('files', { signal: calm() }));
    assert.equal(
      level.filter(({ skip }) => skip !== undefined).map(({ name }) => name),
      ['bad\\xe9.md', 'big.psd', 'link', 'sub'],
    );
    const { changes } = await changed(connector, undefined);
    assert.is(changes.length, 6);
  }),
);

test(
  'reports only differences after a change to any other commit',
  withRepositories(async (repositories) => {
    repositories.init('r');
    for (const name of ['kept.md', 'changed.md', 'gone.md', 'odd\nname"é.md'])
      repositories.write(`r/${name}`);
    repositories.commit('r');
    const connector = await repositories.open('r');
    const first = await changed(connector, undefined);
    assert.is(first.changes.length, 4);
    assert.equal((await changed(connector, first.cursor)).changes, []);
    repositories.write('r/changed.md', 'other text\n');
    repositories.write('r/odd\nname"é.md', 'other text\n');
    rmSync(repositories.at('r/gone.md'));
    repositories.git('r', 'commit', '-q', '--amend', '-a', '-m', 'rewritten');
    const second = await changed(connector, first.cursor);
    const told = second.changes.map((change) =>
      'entry' in change
        ? `+${change.entry.path} ${change.entry.size}`
        : 'removed' in change
          ? `-${change.removed}`
          : '?',
    );
    assert.equal(told, ['-files/gone.md', '+files/changed.md 11', '+files/odd\nname"é.md 11']);
    const [, entry] = second.changes;
    const listing = await listed(connector);
    assert.equal(
      entry,
      { entry: listing.find(({ path }) => path === 'files/changed.md') },
      'as in a listing',
    );
    for (const cursor of [7, {}, { commit: '--help' }, { commit: 'f'.repeat(40) }, null]) {
      const { changes } = await changed(connector, cursor);
      assert.equal(changes[0], { reset: true }, JSON.stringify(cursor));
      assert.is(changes.length, 4);
    }
  }),
);

test(
  'does not modify the repository',
  withRepositories(async (repositories) => {
    repositories.init('r');
    repositories.write('r/a.md', 'text\n');
    repositories.commit('r');
    const state = (): string[] =>
      readdirSync(repositories.at('r/.git'), { recursive: true, encoding: 'utf8' }).map((name) => {
        const { mtimeNs, size } = statSync(repositories.at(`r/.git/${name}`), { bigint: true });
        return `${name} ${mtimeNs} ${size}`;
      });
    // A git command that refreshes the index would write it now.
    repositories.write('r/a.md', 'text\n');
    const before = state();
    const connector = await repositories.open('r');
    await changed(connector, undefined);
    await textAt(connector, 'files/a.md');
    await found(connector, 'text');
    assert.equal(state(), before);
  }),
);

test(
  'runs no program that a repository configures',
  withRepositories(async (repositories) => {
    hostile(repositories);
    const connector = await repositories.open('r');
    const first = await changed(connector, undefined);
    repositories.git(
      'r',
      '-c',
      'core.fsmonitor=false',
      '-c',
      'core.hooksPath=/dev/null',
      'update-ref',
      'HEAD',
      'HEAD~1',
    );
    await changed(connector, first.cursor);
    await listed(connector);
    await textAt(connector, 'files/a.md');
    await found(connector, 'text');
    await collect(connector.browse('files', { signal: calm() }));
    // The configured program must not fetch missing objects of a partial clone.
    const missing = repositories.git('r', 'rev-parse', 'HEAD:b.md');
    rmSync(repositories.at(`r/.git/objects/${missing.slice(0, 2)}/${missing.slice(2)}`));
    await textAt(connector, 'files/b.md').then(
      () => assert.unreachable(),
      () => undefined,
    );
    await listed(connector).catch(() => undefined);
    assert.not.ok(existsSync(repositories.at('ran')));
  }),
);

/** Creates a repository with programs in all settings that can name one. */
function hostile(repositories: Repositories): void {
  repositories.init('r');
  repositories.write('r/a.md', 'text\n');
  repositories.write('r/b.md', 'text to be lost\n');
  repositories.write('r/.gitattributes', '* diff=evil filter=evil\n');
  repositories.commit('r');
  repositories.write('r/a.md', 'text again\n');
  repositories.commit('r');
  repositories.write('evil.sh', `#!/bin/sh\necho "$0 $*" >> '${repositories.at('ran')}'\n`);
  const evil = repositories.at('evil.sh');
  chmodSync(evil, 0o755);
  const quoted = `'${evil}'`;
  for (const [name, value] of [
    ['core.fsmonitor', quoted],
    ['core.pager', quoted],
    ['core.sshCommand', quoted],
    ['core.editor', quoted],
    ['core.alternateRefsCommand', quoted],
    ['diff.external', quoted],
    ['diff.evil.textconv', quoted],
    ['diff.evil.command', quoted],
    ['filter.evil.smudge', quoted],
    ['filter.evil.clean', quoted],
    ['gpg.program', quoted],
    ['log.showSignature', 'true'],
    ['credential.helper', `!${quoted}`],
    ['core.repositoryFormatVersion', '1'],
    ['extensions.partialClone', 'origin'],
    ['remote.origin.promisor', 'true'],
    ['remote.origin.url', repositories.at('r')],
    ['remote.origin.uploadpack', quoted],
    ['remote.other.promisor', 'true'],
    ['remote.other.url', `ext::${evil}`],
    ['protocol.ext.allow', 'always'],
  ] as const)
    repositories.git('r', 'config', name, value);
}

test(
  'suggests a remedy for an unreadable repository, and opens it later',
  withRepositories(async (repositories) => {
    repositories.init('empty');
    repositories.init('r');
    repositories.write('r/a.md');
    repositories.commit('r');
    repositories.write('plain/a.md');
    repositories.write('r/inside/b.md');
    repositories.init('broken');
    repositories.write('broken/a.md');
    repositories.commit('broken');
    rmSync(repositories.at('broken/.git/objects'), { recursive: true });
    const said = async (folder: string, config = {}): Promise<string> => {
      const connector = await repositories.open(folder, config);
      const { ok, detail } = await connector.check({ signal: calm() });
      return `${ok}: ${detail}`;
    };
    assert.is(await said('empty'), 'true: A repository without commits.');
    assert.match(await said('r'), /^true: A repository, at the commit [0-9a-f]{12}\.$/);
    assert.match(
      await said('r', { ref: 'nowhere' }),
      /^false: .*no branch, tag or commit "nowhere".*main/,
    );
    assert.match(await said('empty', { ref: 'main' }), /^false: .*It has no commits/);
    assert.match(await said('nowhere'), /^false: There is no folder /);
    assert.match(await said('plain'), /^false: There is no git repository .*\.git/);
    assert.match(await said('r/inside'), /^false: There is no git repository/);
    assert.match(await said('r/a.md'), /^false: There is no folder /);
    assert.match(await said('broken'), /^false: /);
    const late = await repositories.open('late');
    assert.is((await late.check({ signal: calm() })).ok, false);
    repositories.git('', 'clone', '-q', 'r', 'late');
    assert.is((await late.check({ signal: calm() })).ok, true);
  }),
);

test(
  'reads files of any size, several at a time',
  withRepositories(async (repositories) => {
    repositories.init('r');
    const large = Buffer.alloc(5_000_000, 'large and larger, ');
    repositories.write('r/large.txt', large);
    repositories.write('r/empty.txt', '');
    for (let at = 0; at < 50; at++) repositories.write(`r/${at}.txt`, `${at}\n`.repeat(at * 1000));
    repositories.commit('r');
    const connector = await repositories.open('r');
    const { bytes } = await connector.read('files/large.txt', { signal: calm() });
    assert.not.instance(bytes, Uint8Array);
    // A slow reader of the large file does not block other reads.
    const texts = await Promise.all(
      Array.from({ length: 50 }, (_, at) => textAt(connector, `files/${at}.txt`)),
    );
    texts.forEach((text, at) => assert.is(text, `${at}\n`.repeat(at * 1000)));
    assert.is(await textAt(connector, 'files/empty.txt'), '');
    assert.is(await textAt(connector, 'files/large.txt'), large.toString());
  }),
);

test(
  'returns the position of matches, and notes files that it skipped',
  withRepositories(async (repositories) => {
    repositories.init('r');
    repositories.write('r/a/one.md', 'x\n');
    repositories.write('r/a.md', 'naïve 😀 needle\r\n-needle\n');
    repositories.write('r/blob', Buffer.from('needle\0\x01\x02', 'latin1'));
    repositories.write('r/paper', Buffer.from('%PDF-1.7\n\0needle', 'latin1'));
    repositories.commit('r');
    const connector = await repositories.open('r');
    const at = (line: number, content: string, column: number): object => ({
      path: 'files/a.md',
      lines: [line, line],
      content,
      match: { lines: [line, line], column },
    });
    assert.equal(await found(connector, 'needle', 'files/a.md'), [
      at(1, 'naïve 😀 needle', 10),
      at(2, '-needle', 2),
    ]);
    assert.equal(await found(connector, '-needle'), [at(2, '-needle', 1)]);
    assert.equal(await found(connector, 'needle\nx'), []);
    assert.equal(await found(connector, 'x', 'files/a'), [
      { ...at(1, 'x', 1), path: 'files/a/one.md' },
    ]);
    const notices = async (except: readonly string[]): Promise<GrepItem[]> =>
      (await found(connector, 'needle', '', except)).filter((item) => 'notice' in item);
    assert.equal(await notices([]), [
      { notice: '2 files binary, not searched, although the text occurs there.' },
    ]);
    assert.equal(await notices(['application/pdf']), [
      { notice: '1 file binary, not searched, although the text occurs there.' },
    ]);
    assert.equal(await found(connector, 'ïve'), [
      { notice: 'Only UTF-8 files were searched, because the text has non-ASCII characters.' },
      at(1, 'naïve 😀 needle', 3),
    ]);
  }),
);

test.run();
