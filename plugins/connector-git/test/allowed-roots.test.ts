import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { calm, withRepositories } from './repository.js';

const test = suite('git connector, allowed roots');

test(
  'rejects repositories and alternates outside the allowed roots',
  withRepositories(async (repositories) => {
    repositories.init('elsewhere');
    repositories.write('elsewhere/secret.md');
    const commit = repositories.commit('elsewhere');
    const allowed = repositories.at('allowed');
    repositories.init('allowed/own');
    const at = (path: string): string => repositories.at(`allowed/${path}`);
    repositories.git('', 'clone', '-q', '--shared', repositories.at('elsewhere'), at('shared'));
    repositories.git('elsewhere', 'worktree', 'add', '-q', at('tree'));
    repositories.init('allowed/odd');
    // A link does not bypass the check.
    symlinkSync(repositories.at('elsewhere/.git/objects'), at('o\tdd'));
    writeFileSync(at('odd/.git/objects/info/alternates'), `${at('o\tdd')}\n`);
    writeFileSync(at('odd/.git/HEAD'), `${commit}\n`);
    const said = async (folder: string, ...allowedRoots: string[]): Promise<string> => {
      const connector = await repositories.open(`allowed/${folder}`, {}, { allowedRoots });
      return (await connector.check({ signal: calm() })).detail;
    };
    assert.not.match(await said('own', allowed), /outside/);
    for (const folder of ['shared', 'tree', 'odd']) {
      assert.match(await said(folder, allowed), /outside the allowed roots/);
      assert.not.match(await said(folder, repositories.path), /outside/);
      assert.not.match(await said(folder), /outside/);
    }
  }),
);

test(
  "a repository that keeps its objects among Trove's own files is refused",
  withRepositories(async (repositories) => {
    repositories.init('home/mirror');
    repositories.init('r');
    rmSync(repositories.at('r/.git'), { recursive: true });
    repositories.write('r/.git', `gitdir: ${repositories.at('home/mirror/.git')}\n`);
    const connector = await repositories.open(
      'r',
      {},
      {
        deniedRoots: [repositories.at('home')],
      },
    );
    assert.match((await connector.check({ signal: calm() })).detail, /never part of a source/);
  }),
);

test.run();
