import { rmSync } from 'node:fs';
import { connectorCases, selectConnectorCases } from '@trove/testkit';
import type { SourceRecord } from '@trove/core';
import type { ConnectorSubject } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { plugin, Repositories, targetOf, withRepositories } from './repository.js';

const test = suite('git connector, conformance');

const world: Readonly<Record<string, Uint8Array>> = {
  'README.md': Buffer.from('# Title\n\nSome prose here, and more.\nlast line\n'),
  'docs/100% sure #1 ?.md': Buffer.from('one\ntwo .* two\nthree'),
  'docs/deep/😀 emoji.ts': Buffer.from('export const a = 1;\r\nexport const b = 2;\r\n'),
  'docs/latin1.txt': Buffer.from('caf\xe9, here\nis one more\n', 'latin1'),
  'with bom.txt': Buffer.from('\ufeffbe here or\nthere\n'),
  'new\nline "quoted" \\ :(glob)*': Buffer.from('odd name\n'),
  'data/blob.bin': Uint8Array.from([0, 1, 2, 255, 0]),
};

function subjectOn(repositories: Repositories): ConnectorSubject {
  repositories.init('world');
  for (const [path, bytes] of Object.entries(world)) repositories.write(`world/${path}`, bytes);
  repositories.time = { GIT_AUTHOR_DATE: '2024-02-29T12:00:00Z' };
  repositories.commit('world', 'Everything\n\nof a world');
  repositories.write('world/docs/latin1.txt', world['docs/latin1.txt']?.subarray(0, 4));
  repositories.commit('world', 'Less');
  repositories.write('world/docs/latin1.txt', world['docs/latin1.txt']);
  repositories.commit('world', 'More again');
  repositories.init('empty');
  return {
    plugin,
    target: targetOf(repositories.at('world')),
    config: { ref: 'HEAD', commits: 100 },
    objects: [
      ...Object.entries(world).map(([path, bytes]) => ({ path: `files/${path}`, bytes })),
      { path: 'commits/log.jsonl', records: recordsOf(repositories) },
    ],
    absent: 'files/docs/nothing here.md',
    change: async (path) => {
      repositories.write(path.replace('files', 'world'), `changed ${path}\n`.repeat(9));
      repositories.commit('world');
    },
    remove: async (path) => {
      rmSync(repositories.at(path.replace('files', 'world')));
      repositories.commit('world');
    },
    changeRecords: async () => {
      repositories.git('world', 'commit', '-q', '--amend', '-m', 'Otherwise');
      repositories.write('world/another.md');
      repositories.commit('world', 'Another');
    },
    expireCursors: async () => {
      repositories.git('world', 'commit', '-q', '--amend', '-m', 'another');
      repositories.git('world', 'reflog', 'expire', '--expire=now', '--all');
      repositories.git('world', 'gc', '-q', '--prune=now');
    },
    emptyTarget: targetOf(repositories.at('empty')),
    unreachable: { target: targetOf(repositories.at('nowhere')) },
  };
}

/** The commits as git shows them one by one. */
function recordsOf(repositories: Repositories): SourceRecord[] {
  const ids = repositories.git('world', 'rev-list', 'HEAD').split('\n');
  return ids.map((id) => {
    const message = repositories.git('world', 'show', '-s', '--format=%B', id);
    const diff = repositories.git('world', 'show', '--format=', id);
    const author = 'Ada Lovelace';
    const date = '2024-02-29T12:00:00.000Z';
    return {
      key: { commit: id },
      fields: { commit: id, author, email: 'ada@example.org', date },
      text: `${message}\n\n${diff}`,
      at: Date.parse(date),
      version: id,
      title: message.split('\n')[0] ?? '',
      author,
    };
  });
}

const probe = new Repositories();
const { cases, skipped } = await selectConnectorCases(subjectOn(probe));
await probe.remove();

for (const each of cases) {
  test(
    each.title,
    withRepositories(async (repositories) => each.run(subjectOn(repositories))),
  );
}

for (const { id, reason } of skipped) console.log(`skipped: ${id}, ${reason}`);

test('nothing else is skipped', () => {
  const reasons = new Set(skipped.map(({ reason }) => reason));
  assert.equal([...reasons].sort(), [
    "the plugin's capabilities do not have `grep.context`",
    "the plugin's capabilities do not have `grep.ignoreCase`",
    "the plugin's capabilities do not have `grep.onlyMatching`",
    "the plugin's capabilities do not have `grep.paging`",
    "the plugin's capabilities do not have `grep.regex`",
    "the plugin's capabilities do not have `since`",
    'the subject has no `secret`',
  ]);
  assert.is(cases.length + skipped.length, connectorCases.length);
});

test.run();
