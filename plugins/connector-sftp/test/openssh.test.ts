// test-waits
import { chmod, mkdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { listen } from '@trove/test-support/listen.js';
import { rejection } from '@trove/test-support/rejection.js';
import { testUnless } from '@trove/test-support/skips.js';
import { noSshServer, startSshServer, type SshServer } from '@trove/test-support/ssh-server.js';
import { fingerprintOf } from '../src/known-hosts.js';
import { bytesAt, calm, listed, open, RemoteFolder } from './remote-folder.js';

const test = suite('SFTP connector, files of OpenSSH');
const onServer = testUnless(noSshServer, test);
let server: SshServer;

test.before(async () => {
  if (noSshServer === null) server = await startSshServer();
});
test.after(() => server?.stop());

function withFolder(run: (folder: RemoteFolder) => Promise<void>): () => Promise<void> {
  return async () => {
    const folder = await RemoteFolder.make(server);
    try {
      await run(folder);
    } finally {
      await folder.remove();
    }
  };
}

onServer(
  'follows no links in a listing, and reports those that lead out or nowhere',
  withFolder(async (folder) => {
    await folder.put('a/b/c.md', 'c');
    await folder.put('node_modules/d.js', 'd');
    await symlink('..', join(folder.path, 'a/up'));
    await symlink('a/b/c.md', join(folder.path, 'link.md'));
    await symlink('/etc', join(folder.path, 'etc'));
    await symlink('none', join(folder.path, 'broken'));
    const source = folder.open();
    const entries = await listed(source);
    assert.equal(
      entries.map(({ path, skip }) => [path, skip]),
      [
        ['a/b/c.md', undefined],
        ['broken', 'a link that leads nowhere'],
        ['etc', 'a link to a place outside the source'],
      ],
    );
    assert.is((await bytesAt(source, 'link.md')).toString(), 'c');
    assert.is((await bytesAt(source, 'a/up/a/b/c.md')).toString(), 'c');
    for (const path of ['etc/passwd', 'etc'])
      assert.is((await rejection(() => bytesAt(source, path))).code, 'path_not_allowed', path);
    const level = await collect(source.browse('', { signal: calm() }));
    const shown = level.map(
      ({ name, type, skip }) => `${name} ${skip === undefined ? type : 'skipped'}`,
    );
    assert.equal(shown.sort(), [
      'a dir',
      'broken skipped',
      'etc skipped',
      'link.md file',
      'node_modules skipped',
    ]);
  }),
);

onServer(
  'reads large files and their ranges over one connection',
  withFolder(async (folder) => {
    const bytes = Buffer.alloc(3_000_017, 'trove over ssh, ');
    await folder.put('large.bin', bytes);
    await folder.put('exact.bin', bytes.subarray(0, 65_536));
    const source = folder.open();
    assert.ok((await bytesAt(source, 'large.bin')).equals(bytes));
    assert.ok((await bytesAt(source, 'exact.bin')).equals(bytes.subarray(0, 65_536)));
    const ranges = [
      [0, 1],
      [32_767, 32_769],
      [2_999_999, 3_000_017],
      [2_999_999, 9_000_000],
      [5_000_000, 6_000_000],
      [7, 7],
    ] as const;
    const parts = await Promise.all(
      ranges.map(([start, end]) => bytesAt(source, 'large.bin', { start, end })),
    );
    for (const [at, [start, end]] of ranges.entries())
      assert.ok(parts[at]?.equals(bytes.subarray(start, end)), `${start}:${end}`);
    const { bytes: pieces } = await source.read('large.bin', { signal: calm() });
    if (pieces instanceof Uint8Array) throw new Error('It is not streamed.');
    for await (const piece of pieces) {
      assert.ok(piece.length > 0);
      break;
    }
    assert.is((await listed(source)).length, 2, 'the connection is still good');
  }),
);

onServer(
  'lists a large folder as the server sends it',
  withFolder(async (folder) => {
    await mkdir(join(folder.path, 'many'));
    const names = Array.from({ length: 3000 }, (_, at) => `note ${at}.md`);
    await Promise.all(names.map((name) => writeFile(join(folder.path, 'many', name), name)));
    const source = folder.open();
    assert.is((await listed(source)).length, 3000);
    const abort = new AbortController();
    let count = 0;
    const error = await collect(
      (async function* () {
        for await (const entry of source.list({ signal: abort.signal })) {
          if (++count === 10) abort.abort();
          yield entry;
        }
      })(),
    ).catch(() => 'aborted');
    assert.equal([error, count < 3000], ['aborted', true]);
  }),
);

onServer(
  'connects again after a restart of the server',
  withFolder(async (folder) => {
    await folder.put('a.md', 'a');
    const source = folder.open();
    assert.is((await listed(source)).length, 1);
    await server.restart();
    // The first request may still use the lost connection.
    const first = await rejection(() => listed(source)).catch(() => null);
    assert.is(first?.retryable ?? true, true);
    assert.is((await listed(source)).length, 1);
  }),
);

onServer(
  'opens no connection after it was closed',
  withFolder(async (folder) => {
    await folder.put('large.bin', Buffer.alloc(1_000_000));
    const source = folder.open();
    const { bytes } = await source.read('large.bin', { signal: calm() });
    if (bytes instanceof Uint8Array) throw new Error('It is not streamed.');
    for await (const piece of bytes) {
      assert.ok(piece.length > 0);
      await source.close();
      // The end of an interrupted read also sends a request.
      break;
    }
    assert.is((await rejection(() => listed(source))).code, 'engine_closed');
  }),
);

onServer(
  'compares files by size and time, and new ones by content',
  withFolder(async (folder) => {
    await folder.put('a.md', 'a');
    const source = folder.open();
    const young = await source.stat('a.md', { signal: calm() });
    assert.is(young?.fingerprint, null);
    await utimes(join(folder.path, 'a.md'), 1_700_000_000, 1_700_000_000);
    const old = await source.stat('a.md', { signal: calm() });
    assert.equal([old?.fingerprint, old?.modifiedAt], ['1 1700000000', 1_700_000_000_000]);
    assert.is(await source.stat('none', { signal: calm() }), null);
  }),
);

onServer(
  'opens a single file as a source',
  withFolder(async (folder) => {
    await folder.put('a b.md', 'alone');
    const source = folder.open({}, `${folder.target}/a b.md`);
    const [entry, ...others] = await listed(source);
    assert.equal([entry?.path, others.length], ['', 0]);
    assert.is((await bytesAt(source, '')).toString(), 'alone');
  }),
);

onServer(
  'leaves out folders and files that the user may not read',
  withFolder(async (folder) => {
    await folder.put('open.md', 'open');
    await folder.put('closed/secret.md', 'secret');
    await chmod(join(folder.path, 'closed'), 0);
    try {
      const warnings: string[] = [];
      const paths = (await listed(folder.open(), warnings)).map(({ path }) => path);
      const isRoot = process.getuid?.() === 0;
      assert.equal(paths, isRoot ? ['closed/secret.md', 'open.md'] : ['open.md']);
      assert.is(warnings.length, isRoot ? 0 : 1);
    } finally {
      await chmod(join(folder.path, 'closed'), 0o755);
    }
  }),
);

onServer(
  'logs in with an encrypted key, and explains wrong logins',
  withFolder(async (folder) => {
    const keys = `${folder.key('user.pub')}\n${folder.key('encrypted.pub')}\n`;
    await writeFile(join(server.folder, 'authorized_keys'), keys);
    const encrypted = { private_key: folder.key('encrypted') };
    const detailOf = async (config: object): Promise<string> => {
      const { detail } = await folder.open(config).check({ signal: calm() });
      return detail;
    };
    const good = await detailOf({ ...encrypted, passphrase: 'open-sesame' });
    assert.is(good, `${folder.path} on 127.0.0.1 can be listed.`);
    assert.match(
      await detailOf({ ...encrypted, passphrase: 'wrong' }),
      'The private key cannot be used',
    );
    assert.match(await detailOf(encrypted), 'The private key cannot be used');
    const { host_key } = folder.config;
    const wrong = open(folder.target, { host_key, password: 'wrong' });
    assert.match((await wrong.check({ signal: calm() })).detail, 'refuses the login of the user');
    const none = open(folder.target, { host_key });
    assert.match((await none.check({ signal: calm() })).detail, 'There is no login for 127.0.0.1');
  }),
);

onServer(
  'accepts only the configured key of the server',
  withFolder(async (folder) => {
    const [, key = ''] = folder.key('host_ed25519.pub').split(' ');
    const fingerprint = fingerprintOf(Buffer.from(key, 'base64'));
    const check = async (host_key: string): Promise<string> =>
      (await folder.open({ host_key }).check({ signal: calm() })).detail;
    assert.match(await check(fingerprint), 'can be listed');
    assert.match(await check(folder.key('host_rsa.pub')), 'can be listed');
    assert.match(
      await check(folder.key('user.pub')),
      `differs from \`host_key\`. Its fingerprint is ${fingerprint}`,
    );
    const { host_key: _, ...login } = folder.config;
    const unknown = open(folder.target, login);
    assert.match((await unknown.check({ signal: calm() })).detail, 'is unknown');
  }),
);

onServer(
  'explains a machine that does not answer',
  withFolder(async (folder) => {
    const detailAt = async (port: number): Promise<string> => {
      const target = `sftp://${userInfo().username}@127.0.0.1:${port}/`;
      const source = folder.open({}, target);
      const { ok, detail } = await source.check({ signal: calm() });
      assert.is(ok, false);
      return detail;
    };
    assert.match(await detailAt(1), 'The SSH server 127.0.0.1:1 refuses connections.');
    await using web = await listen(createServer((socket) => socket.end('HTTP/1.1 400\r\n\r\n')));
    assert.match(
      await detailAt(web.port),
      `The SSH server 127.0.0.1:${web.port} could not be used`,
    );
    const { detail } = await folder.open({}, `${folder.target}/none`).check({ signal: calm() });
    assert.match(detail, 'There is no folder');
  }),
);

test.run();
