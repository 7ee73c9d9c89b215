// test-timeout: 600
import { cpSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename } from 'node:path';
import type { ConnectorNeed, ConnectorSubject } from '@trove/testkit';
import type { Connector, SourceRecord } from '@trove/core';
import { suite } from 'uvu';

import { collect } from '@trove/test-support/collect.js';
import { testConformance } from '@trove/test-support/conformance.js';
import { startHttpBackend, type GitHttpBackend } from '@trove/test-support/git-http-backend.js';
import { plugin, remotePlugin, Repositories, targetOf, withRepositories } from './repository.js';

const world: Readonly<Record<string, Uint8Array>> = {
  'README.md': Buffer.from('# Title\n\nSome prose here, and more.\nlast line\n'),
  'docs/100% sure #1 ?.md': Buffer.from('one\ntwo .* two\nthree'),
  'docs/deep/😀 emoji.ts': Buffer.from('export const a = 1;\r\nexport const b = 2;\r\n'),
  'docs/latin1.txt': Buffer.from('caf\xe9, here\nis one more\n', 'latin1'),
  'with bom.txt': Buffer.from('\ufeffbe here or\nthere\n'),
  'new\nline "quoted" \\ :(glob)*': Buffer.from('odd name\n'),
  'data/blob.bin': Uint8Array.from([0, 1, 2, 255, 0]),
};

const time = { GIT_AUTHOR_DATE: '2024-02-29T12:00:00Z' };

/** The template that each case copies. */
function makeWorld(): Repositories {
  const repositories = new Repositories();
  repositories.init('world');
  for (const [path, bytes] of Object.entries(world)) repositories.write(`world/${path}`, bytes);
  repositories.time = time;
  repositories.commit('world', 'Everything\n\nof a world');
  repositories.write('world/docs/latin1.txt', world['docs/latin1.txt']?.subarray(0, 4));
  repositories.commit('world', 'Less');
  repositories.write('world/docs/latin1.txt', world['docs/latin1.txt']);
  repositories.commit('world', 'More again');
  repositories.init('empty');
  return repositories;
}

const template = makeWorld();
const records = recordsOf(template);

function subjectOn(repositories: Repositories): ConnectorSubject {
  cpSync(template.path, repositories.path, { recursive: true });
  repositories.time = time;
  return {
    plugin,
    target: targetOf(repositories.at('world')),
    config: { commits: 100 },
    refused: [{ ref: '--all' }, { commits: -1 }],
    objects: [
      ...Object.entries(world).map(([path, bytes]) => ({ path: `files/${path}`, bytes })),
      { path: 'commits/log.jsonl', records },
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

/** Returns the expected records from separate git calls. */
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

/** Serves the same repository over HTTP. */
function remoteSubjectOn(repositories: Repositories, backend: GitHttpBackend): ConnectorSubject {
  // The copy still has commits that the repository has lost.
  const { expireCursors: _, ...subject } = subjectOn(repositories);
  const place = (name: string): string =>
    `git+http://${backend.host}/${basename(repositories.path)}/${name}/.git`.replaceAll(' ', '%20');
  const login = { username: 'ada', password: 'lovelace' };
  backend.login = 'ada:lovelace';
  const config = { commits: 100, max_bytes: 100_000_000, ...login };
  const secret = 'nobody-has-this-one';
  let opened: Connector | undefined;
  /** Syncs first, because readers see the state of the last fetch. */
  const thenSync =
    <A extends readonly unknown[]>(change: ((...args: A) => Promise<void>) | undefined) =>
    async (...args: A): Promise<void> => {
      await change?.(...args);
      await collect(opened?.list({ signal: AbortSignal.timeout(60_000) }));
    };
  return {
    ...subject,
    plugin: {
      ...remotePlugin,
      create: async (context: Parameters<typeof remotePlugin.create>[0]) => {
        opened = await remotePlugin.create(context);
        return opened;
      },
    },
    change: thenSync(subject.change),
    remove: thenSync(subject.remove),
    target: place('world'),
    config,
    emptyTarget: place('empty'),
    replaceCredential: async () => {
      backend.login = 'eve:king';
      return { username: 'eve', password: 'king' };
    },
    unreachable: { target: place('nowhere'), config: { ...config, password: secret } },
    secret,
  };
}

async function add(
  name: string,
  subjectOf: (repositories: Repositories) => ConnectorSubject,
  lacking: readonly ConnectorNeed[],
  after?: () => Promise<void>,
): Promise<void> {
  const test = suite(name);
  if (after !== undefined) test.after(after);
  const run = (work: (subject: ConnectorSubject) => Promise<void>) =>
    withRepositories(async (repositories) => work(subjectOf(repositories)))();
  await testConformance(test, run, [
    'watch',
    'addReply',
    'checkpoints',
    'moveFolder',
    'grep.context',
    'grep.ignoreCase',
    'grep.onlyMatching',
    'grep.paging',
    'grep.regex',
    'explain',
    'keysOnly',
    'paths',
    'since',
    'threads',
    ...lacking,
  ]);
  test.run();
}

await add('git connector, conformance', subjectOn, [
  'coupled',
  'expireAccess',
  'replaceCredential',
  'secret',
]);
const backend = await startHttpBackend(tmpdir());
await add(
  'git connector over HTTP, conformance',
  (repositories) => remoteSubjectOn(repositories, backend),
  ['coupled', 'expireAccess', 'expireCursors'],
  async () => {
    await backend.stop();
    await template.remove();
  },
);
