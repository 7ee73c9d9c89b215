// test-timeout: 600
// test-waits
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { hostname } from 'node:os';
import { basename } from 'node:path';
import type { Connector, Health } from '@trove/core';
import { connectorContext } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { rejection } from '@trove/test-support/rejection.js';
import { startHttpBackend, type GitHttpBackend } from '@trove/test-support/git-http-backend.js';
import { calm, remotePlugin, withRepositories, type Repositories } from './repository.js';

const test = suite('git connector, remote repositories');

type Opened = Required<
  Pick<Connector, 'list' | 'changes' | 'read' | 'records' | 'check' | 'close'>
>;

const defaults = { ref: 'HEAD', commits: 100, ignore: [], max_bytes: 100_000_000 };

class Remote {
  readonly #repositories: Repositories;
  readonly backend: GitHttpBackend;
  readonly #opened: Opened[] = [];

  constructor(repositories: Repositories, backend: GitHttpBackend) {
    this.#repositories = repositories;
    this.backend = backend;
  }

  get folder(): string {
    return this.#repositories.at('kept');
  }

  get mirror(): string {
    return `${this.folder}/mirror.git`;
  }

  async open(config: object = {}, name = 'r', scheme = 'git+http'): Promise<Opened> {
    const connector = await remotePlugin.create(
      connectorContext({
        config: { ...defaults, ...config },
        target: `${scheme}://${this.backend.host}/${name}/.git`,
        cacheFolder: this.folder,
      }),
    );
    const { list, changes, read, records, check, close } = connector;
    if (!changes || !read || !records || !check || !close) throw new Error('It lacks a method.');
    const opened = { list, changes, read, records, check, close };
    this.#opened.push(opened);
    return opened;
  }

  async close(): Promise<void> {
    for (const { close } of this.#opened) await close();
    await this.backend.stop();
  }
}

function withRemote(
  run: (remote: Remote, repositories: Repositories) => Promise<void>,
  options: Parameters<typeof startHttpBackend>[1] = {},
): () => Promise<void> {
  return withRepositories(async (repositories) => {
    repositories.init('r');
    repositories.write('r/a.md', 'the first text\n');
    repositories.commit('r', 'first');
    const remote = new Remote(repositories, await startHttpBackend(repositories.path, options));
    try {
      await run(remote, repositories);
    } finally {
      await remote.close();
    }
  });
}

async function pathsOf({ list }: Opened): Promise<string[]> {
  return (await collect(list({ signal: calm() }))).map(({ path }) => path);
}

async function textAt({ read }: Opened, path: string): Promise<string> {
  const { bytes } = await read(path, { signal: calm() });
  return Buffer.concat(bytes instanceof Uint8Array ? [bytes] : await collect(bytes)).toString();
}

/** Repeats a check until git starts in time, because the machine may be busy. */
async function checked({ check }: Opened): Promise<Health> {
  for (;;) {
    const health = await check({ signal: calm() });
    if (!health.detail.includes('did not answer within')) return health;
  }
}

/** Returns the detail of a failed check. A sync must fail, too. */
async function said(connector: Opened): Promise<string> {
  const { ok, detail } = await checked(connector);
  assert.is(ok, false, detail);
  const error = await rejection(() => pathsOf(connector));
  assert.is(error.code, 'connector_unhealthy');
  return detail;
}

test(
  'fetches in a sync, and reads without requests',
  withRemote(async (remote, repositories) => {
    const connector = await remote.open();
    assert.match((await checked(connector)).detail, /^The repository answers, at /);
    assert.equal(await pathsOf(connector), ['files/a.md', 'commits/log.jsonl']);
    repositories.write('r/b.md', 'the second text\n');
    repositories.git('r', 'add', 'b.md');
    repositories.git('r', 'update-index', '--add', '--cacheinfo', `160000,${'ab'.repeat(20)},sub`);
    repositories.git('r', 'commit', '-q', '-m', 'second');
    const asked = remote.backend.asked.length;
    assert.is(await textAt(connector, 'files/a.md'), 'the first text\n');
    assert.is((await rejection(() => textAt(connector, 'files/b.md'))).code, 'not_found');
    assert.is(remote.backend.asked.length, asked);
    const listed = await collect(connector.list({ signal: calm() }));
    const skips = listed.map(({ path, skip = '' }) => [path, skip.slice(0, 11)]);
    assert.equal(skips, [
      ['files/b.md', ''],
      ['files/sub', 'a submodule'],
      ['files/a.md', ''],
      ['commits/log.jsonl', ''],
    ]);
    assert.is(await textAt(connector, 'files/b.md'), 'the second text\n');
    // Another process uses the same copy.
    await remote.backend.stop();
    assert.is(await textAt(await remote.open(), 'files/b.md'), 'the second text\n');
  }),
);

test(
  'fetches after another process was killed during its fetch',
  withRemote(async (remote) => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    const lock = `${remote.folder}/fetching`;
    mkdirSync(lock, { recursive: true });
    writeFileSync(`${lock}/${pid} x ${hostname()}`, '');
    const later = new Date(Date.now() + 3_600_000);
    utimesSync(lock, later, later);
    assert.equal(await pathsOf(await remote.open()), ['files/a.md', 'commits/log.jsonl']);
  }),
);

test(
  'fetches only the shown history, and follows new commits',
  withRemote(async (remote, repositories) => {
    for (let index = 0; index < 6; index++)
      repositories.commit('r', `number ${index}`, '--allow-empty');
    const connector = await remote.open({ commits: 3 });
    const titles = async (): Promise<(string | undefined)[]> => {
      const records = connector.records('commits/log.jsonl', { signal: calm() });
      return (await collect(records)).map(({ title }) => title);
    };
    let cursor: unknown;
    const commit = (next: unknown): void => void (cursor = next);
    await collect(connector.changes({ cursor, commit, signal: calm() }));
    assert.equal(await titles(), ['number 5', 'number 4', 'number 3']);
    assert.is(readFileSync(`${remote.mirror}/shallow`, 'utf8').trim().split('\n').length, 1);
    const last = repositories.git('r', 'rev-parse', 'HEAD~2');
    repositories.commit('r', 'number 6', '--allow-empty');
    const changes = await collect(connector.changes({ cursor, commit, signal: calm() }));
    const [change] = changes;
    assert.ok(change !== undefined && 'records' in change);
    assert.equal(
      change.records.map(({ title }) => title),
      ['number 6'],
    );
    assert.equal(change.removedKeys, [{ commit: last }]);
    assert.equal(await titles(), ['number 6', 'number 5', 'number 4']);
    // A larger number of commits fetches the rest.
    const more = await remote.open({ commits: 50 });
    const entries = await pathsOf(more);
    assert.is(entries.length, 2);
    assert.is((await collect(more.records('commits/log.jsonl', { signal: calm() }))).length, 8);
  }),
);

test(
  'shows any branch, tag and commit, and a rewritten branch',
  withRemote(async (remote, repositories) => {
    const first = repositories.git('r', 'rev-parse', 'HEAD');
    repositories.git('r', 'tag', '-a', '-m', 'a tag', 'v1');
    repositories.write('r/a.md', 'the second text\n');
    repositories.commit('r');
    repositories.git('r', 'branch', 'x/straße');
    for (const [ref, text] of [
      ['v1', 'the first text\n'],
      [first, 'the first text\n'],
      ['x/straße', 'the second text\n'],
      ['refs/heads/main', 'the second text\n'],
    ] as const) {
      const connector = await remote.open({ ref });
      assert.is((await checked(connector)).ok, true, ref);
      await pathsOf(connector);
      assert.is(await textAt(connector, 'files/a.md'), text, ref);
    }
    const connector = await remote.open();
    await pathsOf(connector);
    repositories.git('r', 'reset', '-q', '--hard', first);
    repositories.write('r/c.md', 'other\n');
    repositories.commit('r', 'another history');
    assert.equal(await pathsOf(connector), ['files/c.md', 'files/a.md', 'commits/log.jsonl']);
    assert.is(await textAt(connector, 'files/a.md'), 'the first text\n');
  }),
);

test(
  'lists a repository without commits as empty',
  withRemote(async (remote, repositories) => {
    repositories.init('empty');
    const connector = await remote.open({}, 'empty');
    assert.match((await checked(connector)).detail, 'has no commits yet');
    assert.equal(await pathsOf(connector), []);
  }),
);

test(
  'sends a password only to the host, and reports a wrong one',
  withRemote(
    async (remote) => {
      assert.match(await said(await remote.open()), 'requires a user name and a password');
      const wrong = await said(await remote.open({ username: 'ada', password: 'wrong-one' }));
      assert.match(wrong, /rejects the user name or the password\. Correct `username`/);
      assert.not.match(wrong, 'wrong-one');
      const connector = await remote.open({ username: 'ada', password: 'love:lace' });
      assert.equal(await pathsOf(connector), ['files/a.md', 'commits/log.jsonl']);
      const login = Buffer.from('ada:love:lace').toString('base64');
      for (const path of readdirSync(remote.folder, { recursive: true, withFileTypes: true })) {
        if (!path.isFile()) continue;
        const text = readFileSync(`${path.parentPath}/${path.name}`, 'latin1');
        assert.not.ok(text.includes('love:lace') || text.includes(login), path.name);
      }
    },
    { login: 'ada:love:lace' },
  ),
);

test(
  'explains failures and suggests remedies',
  withRemote(async (remote, repositories) => {
    const { host } = remote.backend;
    assert.match(
      await said(await remote.open({ ref: 'nowhere' })),
      /^The repository has no branch, tag or commit "nowhere"\. Set `ref` .* There are: main …$/,
    );
    assert.match(
      await said(await remote.open({}, 'missing')),
      `There is no such repository at ${host}.`,
    );
    const answers = [
      [{ status: 403 }, 'does not let this user read'],
      [
        { status: 301, headers: { location: 'http://127.0.0.1:1/r' } },
        'redirects to another address',
      ],
      [{ status: 503 }, 'could not answer'],
      [{ status: 200, body: 'Welcome' }, 'does not answer like a git server'],
    ] as const;
    for (const [fate, words] of answers) {
      remote.backend.faultOf = () => fate;
      assert.match(await said(await remote.open()), words);
    }
    await remote.backend.stop();
    assert.match(await said(await remote.open()), `${host} does not accept connections.`);

    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) =>
      silent.listen(Number(host.split(':')[1]), '127.0.0.1', resolve),
    );
    const { ok, detail } = await (await remote.open()).check({ signal: calm() });
    assert.equal(
      [ok, detail],
      [false, `${host} did not answer within 8 seconds. Check the target and the network.`],
    );
    silent.closeAllConnections();
    await new Promise((resolve) => silent.close(resolve));
    assert.ok(statSync(repositories.at('r')).isDirectory());
  }),
);

test(
  'rejects a host with too many branches',
  withRemote(async (remote) => {
    const names = Array.from(
      { length: 20 },
      (_, at) => `refs/heads/${at}-${'x'.repeat(3_600_000)}`,
    );
    const body = names.map((name) => `${'a'.repeat(40)}\t${name}\n`).join('');
    remote.backend.faultOf = () => ({
      status: 200,
      body,
      headers: { 'content-type': 'text/plain' },
    });
    const connector = await remote.open();
    // A check has less time than git may need for this many bytes.
    const { code, detail } = await rejection(() => pathsOf(connector));
    assert.is(code, 'connector_unhealthy');
    assert.match(detail, /^The output of git has more than \d+ bytes/);
  }),
);

test(
  'rejects an untrusted certificate',
  withRemote(
    async (remote) => {
      const detail = await said(await remote.open({}, 'r', 'git+https'));
      assert.match(detail, /has a certificate that is not trusted\. .* GIT_SSL_CAINFO/);
    },
    { isTls: true },
  ),
);

test(
  'repairs the copy after an interrupted or killed fetch',
  withRemote(async (remote, repositories) => {
    const connector = await remote.open();
    await pathsOf(connector);
    const large = Buffer.alloc(
      400_000,
      Array.from({ length: 997 }, (_, at) => (at * at) % 251).join('-'),
    );
    for (let index = 0; index < 20; index++)
      repositories.write(`r/big/${index}.txt`, `${large.subarray(index * 31).toString()}${index}`);
    repositories.commit('r', 'much');
    const isPack = (path: string): boolean => path.endsWith('git-upload-pack');
    remote.backend.faultOf = (path) => (isPack(path) ? { breakAfter: 2000 } : 'answer');
    const broken = await rejection(() => pathsOf(connector));
    assert.match(broken.detail, /broke off its answer/, String(broken.cause));
    assert.equal([broken.code, broken.retryable], ['connector_unhealthy', true]);
    assert.is(await textAt(connector, 'files/a.md'), 'the first text\n');

    // The host stops in the middle. An aborted caller returns at once, and the child processes of git end.
    const leaving = new AbortController();
    const isAsked = new Promise<void>((resolve) => {
      remote.backend.faultOf = (path) => {
        if (isPack(path)) resolve();
        return isPack(path) ? { stopAfter: 2000 } : 'answer';
      };
    });
    const listing = collect(connector.list({ signal: leaving.signal })).catch((e: unknown) => e);
    await isAsked;
    leaving.abort(new Error('enough'));
    assert.match(String(await listing), 'enough');
    await connector.close();

    writeFileSync(`${remote.mirror}/shallow.lock`, '');
    writeFileSync(`${remote.mirror}/objects/pack/tmp_pack_x`, 'left');
    remote.backend.faultOf = () => 'answer';
    const next = await remote.open();
    assert.is(await textAt(next, 'files/a.md'), 'the first text\n');
    assert.is((await pathsOf(next)).length, 22);
    assert.equal(
      readdirSync(`${remote.mirror}/objects/pack`).filter((name) => name.startsWith('tmp')),
      [],
    );

    // A deleted copy is created again.
    await next.close();
    rmSync(remote.folder, { recursive: true });
    assert.is(await textAt(await remote.open(), 'files/a.md'), 'the first text\n');
  }),
);

test(
  'stops a fetch that exceeds the size limit',
  withRemote(async (remote, repositories) => {
    repositories.write('r/noise.bin', randomBytes(3_000_000));
    repositories.commit('r', 'noise');
    remote.backend.faultOf = (path) =>
      path.endsWith('git-upload-pack') ? { stopAfter: 1_500_000 } : 'answer';
    const error = await rejection(async () => pathsOf(await remote.open({ max_bytes: 1_048_576 })));
    assert.match(error.detail, 'is larger than 1048576 bytes');
  }),
);

test(
  'runs concurrent fetches without conflicts',
  withRemote(async (remote) => {
    const both = await Promise.all([remote.open(), remote.open()]);
    const expected = ['files/a.md', 'commits/log.jsonl'];
    assert.equal(await Promise.all(both.map(pathsOf)), [expected, expected]);
    assert.not.ok(readdirSync(remote.folder).includes('fetching'), basename(remote.folder));
  }),
);

test('rejects targets without a repository or with a user', async () => {
  for (const target of ['git+https://host', 'git+https:///path', 'git+https://ada@host/path']) {
    const error = await rejection(async () =>
      remotePlugin.create(connectorContext({ config: defaults, target })),
    );
    assert.is(error.code, 'validation_error', target);
  }
});

test.run();
