// test-waits
import { chmod, mkdir, rename, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { noDavServer, startDavServer, type ApacheDav } from '@trove/test-support/dav-server.js';
import { startFaultyProxy } from '@trove/test-support/faulty-proxy.js';
import { rejection } from '@trove/test-support/rejection.js';
import { testUnless } from '@trove/test-support/skips.js';
import { calm, DavFolder, listed, open, textAt } from './dav-folder.js';

const test = suite('WebDAV connector, files of Apache');
const onApache = testUnless(noDavServer, test);
let server: ApacheDav;

test.before(async () => {
  if (noDavServer === null) server = await startDavServer();
});
test.after(() => server?.stop());

const pathsIn = async (folder: DavFolder, warnings?: string[]): Promise<string[]> =>
  (await listed(folder.open(), warnings)).map(({ path }) => path);

onApache('lists one level at a time, and leaves out ignored folders', async () => {
  const folder = new DavFolder(server);
  for (const path of ['a.md', 'b/c.md', 'b/d/e.md', 'node_modules/x/y.js', 'notes/f.md'])
    await folder.put(path, path);
  const proxy = await startFaultyProxy(server.origin);
  try {
    const url = folder.url.replace(server.origin, proxy.url);
    const entries = await listed(open(url, { ...folder.login, ignore: ['notes/'] }));
    assert.equal(
      entries.map(({ path }) => path),
      ['a.md', 'b/c.md', 'b/d/e.md'],
    );
    assert.is(proxy.paths.length, 4, 'one redirect to the root, and three folders');
  } finally {
    await proxy.stop();
  }
});

onApache('lists equal folders inside each other', async () => {
  const folder = new DavFolder(server);
  const time = new Date('2020-01-01');
  await folder.put('x/x/x/end.md', 'end');
  for (const path of ['x/x/x', 'x/x', 'x']) await utimes(join(folder.path, path), time, time);
  await folder.put('copy/a.md', 'a');
  await folder.put('copy/copy/a.md', 'a');
  for (const path of ['copy/a.md', 'copy/copy/a.md'])
    await utimes(join(folder.path, path), time, time);
  assert.equal(await pathsIn(folder), ['copy/a.md', 'copy/copy/a.md', 'x/x/x/end.md']);
});

onApache('leaves out a folder that the server may not read', async () => {
  const folder = new DavFolder(server);
  await folder.put('open.md', 'open');
  await folder.put('closed/secret.md', 'secret');
  await chmod(join(folder.path, 'closed'), 0o700);
  const warnings: string[] = [];
  assert.equal(await pathsIn(folder, warnings), ['open.md']);
  assert.equal(warnings, ['The user may not list "closed". It is left out.']);
});

onApache('reads ranges without the rest', async () => {
  const folder = new DavFolder(server);
  await folder.put('a.txt', '0123456789'.repeat(1000));
  const source = folder.open();
  assert.is(await textAt(source, 'a.txt', { start: 9995 }), '56789');
  assert.is(await textAt(source, 'a.txt', { start: 2, end: 5 }), '234');
  assert.is(await textAt(source, 'a.txt', { start: 20_000 }), '');
  const part = await source.read('a.txt', { range: { start: 9_990 }, signal: calm() });
  assert.is(part.start, 9990);
});

onApache('keeps the fingerprint of a file until it changes', async () => {
  const folder = new DavFolder(server);
  await folder.put('a.txt', 'one');
  const first = await folder.open().stat('a.txt', { signal: calm() });
  await rename(join(folder.path, 'a.txt'), join(folder.path, 'b.txt'));
  const renamed = await folder.open().stat('b.txt', { signal: calm() });
  assert.ok(first?.fingerprint);
  assert.is(renamed?.fingerprint, first?.fingerprint);
  await folder.put('b.txt', 'two!');
  const changed = await folder.open().stat('b.txt', { signal: calm() });
  assert.is.not(changed?.fingerprint, first?.fingerprint);
});

onApache('opens a single file as a source', async () => {
  const folder = new DavFolder(server);
  await folder.put('a b.md', 'alone');
  const source = open(`${folder.url}/a%20b.md`, folder.login);
  const [entry, ...others] = await listed(source);
  assert.is(entry?.path, '');
  assert.is(others.length, 0);
  assert.is(await textAt(source, ''), 'alone');
  const level = await collect(source.browse('', { signal: calm() }));
  assert.equal(
    level.map(({ name, type }) => [name, type]),
    [['a b.md', 'file']],
  );
  assert.match((await source.check({ signal: calm() })).detail, 'a%20b.md can be read');
});

onApache('deletes nothing if a folder does not answer', async () => {
  const folder = new DavFolder(server);
  await folder.put('a.md', 'a');
  await folder.put('b/c.md', 'c');
  await folder.put('d/e.md', 'e');
  const proxy = await startFaultyProxy(server.origin);
  try {
    proxy.faultOf = (path) => (path.endsWith('/b/') ? { status: 500 } : 'pass');
    const source = open(folder.url.replace(server.origin, proxy.url), folder.login);
    const error = await rejection(() => listed(source));
    assert.is(error.code, 'listing_incomplete');
    assert.match(error.detail, '1 folders could not be listed. "b":');
    proxy.faultOf = (path) => (path.endsWith('/b/') ? { breakAfter: 100 } : 'pass');
    assert.is((await rejection(() => listed(source))).code, 'listing_incomplete');
    proxy.faultOf = () => ({ status: 503 });
    assert.is((await rejection(() => listed(source))).retryable, true);
  } finally {
    await proxy.stop();
  }
});

onApache('explains a wrong login and a wrong address', async () => {
  const folder = new DavFolder(server);
  await mkdir(folder.path);
  const detailOf = async (url: string, login: object): Promise<string> => {
    const { ok, detail } = await open(url, login).check({ signal: calm() });
    assert.is(ok, false);
    return detail;
  };
  const wrong = { user: 'ada', password: 'wrong' };
  assert.match(await detailOf(folder.url, wrong), 'refuses the user name or the password');
  assert.match(await detailOf(`${folder.url}/none`, folder.login), 'There is no folder at');
  const { ok, detail } = await folder.open().check({ signal: calm() });
  assert.equal([ok, /can be listed, but it is empty/.test(detail)], [true, true]);
});

onApache('continues after a restart of the server with a new password', async () => {
  const folder = new DavFolder(server);
  await folder.put('a.md', 'a');
  await server.restart('sesame-open');
  const source = folder.open({ password: 'sesame-open' });
  assert.is((await listed(source)).length, 1);
  await server.restart();
  assert.is((await listed(folder.open())).length, 1);
});

test.run();
