import { withoutCheckpoints } from '@trove/core';
import {
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { codeOf } from '@trove/test-support/rejection.js';
import {
  calm,
  indexed,
  inFolder,
  level,
  listed,
  reasonOf,
  search,
  shown,
  textOf,
} from './folder.js';

const test = suite('file connector, listing');

test(
  'rejects an empty root on another disk than the known file',
  inFolder(async (folder) => {
    const connector = await folder.open();
    const list = (knownIdentity: string) =>
      collect(connector.list({ signal: calm(), knownIdentity }));
    const { dev } = statSync(folder.path);
    assert.equal(await list(`${dev}:5`), []);
    assert.is(await codeOf(list(`${dev + 1}:5`)), 'connector_unhealthy');
    folder.mkdir('empty');
    assert.is(await codeOf(list(`${dev + 1}:5`)), 'connector_unhealthy');
    folder.write('a.md');
    assert.is((await list(`${dev + 1}:5`)).length, 1);
  }),
);

test(
  'lists, reads and browses unusual names',
  inFolder(async (folder) => {
    const names = [
      'with space',
      '#hash',
      '100%',
      '%41',
      '😀.md',
      'new\nline',
      '-rf',
      'dot.',
      'back\\slash',
      'é-combined-e\u0301',
      '\ufffd',
      `${'x'.repeat(252)}.md`,
      'quote"\'',
      '$HOME',
      '*',
      '[a]',
    ];
    for (const name of names) folder.write(`in here/${name}`, `I am ${name}`);
    const connector = await folder.open();
    assert.equal(await indexed(connector), names.map((name) => `in here/${name}`).sort());
    for (const name of names) {
      assert.is(await textOf(connector, `in here/${name}`), `I am ${name}`);
      assert.is(await reasonOf(connector, `in here/${name}`), '');
    }
    assert.equal([...(await level(connector, 'in here')).keys()], names.toSorted());
  }),
);

test(
  'lists a name with invalid UTF-8 as skipped, without affecting siblings',
  inFolder(async (folder) => {
    folder.write('good.md');
    const bad = Buffer.concat([Buffer.from(`${folder.path}/bad`), Buffer.from([0xff, 0x2e, 0x6d])]);
    try {
      writeFileSync(bad, 'x');
    } catch {
      console.log('skipped: this file system takes no such names');
      return;
    }
    const connector = await folder.open();
    const entries = await listed(connector);
    assert.equal([...entries.keys()], ['good.md', 'bad\\xff.m']);
    assert.match(entries.get('bad\\xff.m')?.skip ?? '', /UTF-8/);
    assert.is(await reasonOf(connector, 'good.md'), '');
  }),
);

test(
  'distinguishes invalid bytes from U+FFFD in names',
  inFolder(async (folder) => {
    folder.write('x\ufffd', 'I am a file');
    try {
      mkdirSync(Buffer.concat([Buffer.from(`${folder.path}/x`), Buffer.from([0xff])]));
    } catch {
      console.log('skipped: this file system takes no such names');
      return;
    }
    const entries = await listed(await folder.open());
    assert.equal([...entries.keys()], ['x\ufffd', 'x\\xff']);
    assert.is(entries.get('x\ufffd')?.skip, undefined);
  }),
);

test(
  'lists pipes and sockets as skipped and never opens them',
  inFolder(async (folder) => {
    folder.write('file.md');
    folder.pipe('pipe');
    const server = createServer().listen(folder.at('socket'));
    try {
      const connector = await folder.open();
      const entries = await listed(connector);
      for (const name of ['pipe', 'socket']) {
        assert.match(entries.get(name)?.skip ?? '', /pipe, socket or device/);
        assert.is(await codeOf(textOf(connector, name)), 'not_found');
        assert.match((await connector.stat(name, { signal: calm() }))?.skip ?? '', /pipe/);
      }
      assert.equal(await indexed(connector), ['file.md']);
    } finally {
      server.close();
    }
  }),
);

test(
  'changes fingerprints with size, time and inode, but not identities',
  inFolder(async (folder) => {
    folder.write('a.md', 'one');
    utimesSync(folder.at('a.md'), 1000, 1000);
    const connector = await folder.open();
    const entry = async (path: string): Promise<unknown[]> => {
      const { fingerprint, identity, size, modifiedAt } = (await listed(connector)).get(path) ?? {};
      return [fingerprint, identity, size, modifiedAt];
    };
    const [fingerprint, identity, size, modifiedAt] = await entry('a.md');
    assert.equal([size, modifiedAt], [3, 1_000_000]);

    renameSync(folder.at('a.md'), folder.at('b.md'));
    assert.equal((await entry('b.md')).slice(0, 2), [fingerprint, identity]);

    utimesSync(folder.at('b.md'), 1000, 1000.0001);
    assert.is.not((await entry('b.md'))[0], fingerprint);

    folder.write('c.md', 'one');
    utimesSync(folder.at('c.md'), 1000, 1000);
    rmSync(folder.at('b.md'));
    renameSync(folder.at('c.md'), folder.at('b.md'));
    const replaced = await entry('b.md');
    assert.is.not(replaced[0], fingerprint);
    assert.is.not(replaced[1], identity);
  }),
);

test(
  'gives hard links and links no identity',
  inFolder(async (folder) => {
    folder.write('a.md');
    folder.write('alone.md');
    linkSync(folder.at('a.md'), folder.at('b.md'));
    symlinkSync('alone.md', folder.at('link.md'));
    const entries = await listed(await folder.open());
    const withIdentity = [...entries.values()].filter(({ identity }) => identity !== undefined);
    assert.equal(
      withIdentity.map(({ path }) => path),
      ['alone.md'],
    );
    assert.match(entries.get('link.md')?.skip ?? '', /a link: .* as "alone.md"/);
    const link = await (await folder.open()).stat('link.md', { signal: calm() });
    assert.equal([link?.size, link?.identity], [statSync(folder.at('alone.md')).size, undefined]);
  }),
);

test(
  'lists an object once, and reads links only inside the root',
  inFolder(async (folder) => {
    folder.write('outside/secret.md', 'secret');
    folder.write('root/real/deep/a.md', 'inside\n');
    folder.write('root/drafts/b.md', 'inside\n');
    folder.write('root/.troveignore', '/drafts/\n');
    symlinkSync('real/deep/a.md', folder.at('root/file-link.md'));
    symlinkSync('real', folder.at('root/folder-link'));
    symlinkSync('drafts', folder.at('root/draft-link'));
    symlinkSync('../outside', folder.at('root/out'));
    symlinkSync('../outside/secret.md', folder.at('root/out.md'));
    symlinkSync('/etc/hostname', folder.at('root/absolute'));
    symlinkSync('nowhere', folder.at('root/broken'));
    const connector = await folder.open('root');
    assert.equal(await indexed(connector), ['.troveignore', 'real/deep/a.md']);
    const entries = await listed(connector);
    for (const name of ['out', 'out.md', 'absolute']) {
      assert.match(entries.get(name)?.skip ?? '', /out of the source/, name);
      assert.is(await codeOf(textOf(connector, name)), 'not_found', name);
    }
    assert.match(entries.get('broken')?.skip ?? '', /nowhere/);
    for (const [link, real] of [
      ['file-link.md', 'real/deep/a.md'],
      ['folder-link', 'real'],
      ['draft-link', 'drafts'],
    ] as const) {
      assert.match(entries.get(link)?.skip ?? '', `its target is indexed as "${real}"`);
      assert.is(await reasonOf(connector, link), entries.get(link)?.skip);
    }
    for (const path of ['file-link.md', 'folder-link/deep/a.md', 'draft-link/b.md']) {
      assert.is(await textOf(connector, path), 'inside\n');
    }
    assert.ok((await level(connector, 'folder-link/deep')).has('a.md'));
    const found = ['real/deep/a.md:1:inside'];
    for (const path of ['', 'real', 'folder-link', 'folder-link/deep', 'file-link.md']) {
      assert.equal(shown(await search(connector, 'inside', { path })), found, path);
    }
  }),
);

test(
  'ends at loops of links, and lists each file once',
  inFolder(async (folder) => {
    folder.write('a/file.md');
    symlinkSync('..', folder.at('a/up'));
    symlinkSync('.', folder.at('a/self'));
    symlinkSync('ring', folder.at('ring'));
    const count = 12;
    for (let from = 0; from < count; from++) {
      folder.write(`many/${from}/file.md`);
      for (let to = 0; to < count; to++) symlinkSync(`../${to}`, folder.at(`many/${from}/to${to}`));
    }
    const connector = await folder.open();
    const entries = await listed(connector);
    assert.match(entries.get('a/up')?.skip ?? '', /a link: .* as "."/);
    assert.match(entries.get('a/self')?.skip ?? '', /a link: .* as "a"/);
    assert.match(entries.get('ring')?.skip ?? '', /nowhere/);
    assert.is((await indexed(connector)).length, count + 1);
  }),
);

test(
  'identifies browsed folders, which reveals loops',
  inFolder(async (folder) => {
    folder.write('a/file.md');
    symlinkSync('..', folder.at('a/up'));
    const connector = await folder.open();
    const { dev, ino } = statSync(folder.path);
    assert.is((await level(connector, 'a')).get('up')?.realId, `${dev}:${ino}`);
    assert.is((await level(connector, 'a/up/a/up')).get('a')?.type, 'dir');
  }),
);

test(
  'lists a single file at the empty path, even if it is ignored',
  inFolder(async (folder) => {
    folder.write('.gitignore', '*.log\n');
    folder.write('node_modules/app.log', 'line\n');
    const connector = await folder.open('node_modules/app.log');
    assert.equal(await indexed(connector), ['']);
    assert.is(await textOf(connector, ''), 'line\n');
    assert.equal([...(await level(connector, '')).keys()], ['app.log']);
    assert.is((await connector.stat('', { signal: calm() }))?.size, 5);
    assert.is((await level(connector, '')).get('app.log')?.skip, undefined);
    assert.is(await codeOf(textOf(connector, 'x')), 'not_found');
    assert.equal(await connector.check({ signal: calm() }), { ok: true, detail: 'A single file.' });
  }),
);

test(
  'rejects a missing root instead of listing an empty source',
  inFolder(async (folder) => {
    const missing = await folder.open('nowhere');
    const health = await missing.check({ signal: calm() });
    assert.is(health.ok, false);
    assert.match(health.detail, /no file or folder at .*nowhere.*spelling/);
    assert.is(await codeOf(listed(missing)), 'connector_unhealthy');

    folder.write('root/a.md');
    const connector = await folder.open('root');
    assert.equal(await indexed(connector), ['a.md']);
    rmSync(folder.at('root'), { recursive: true });
    assert.is(await codeOf(listed(connector)), 'connector_unhealthy');
    assert.is(await codeOf(textOf(connector, 'a.md')), 'connector_unhealthy');
  }),
);

test(
  'fails at the end of a listing after a folder vanished',
  inFolder(async (folder) => {
    const files = 4000;
    mkdirSync(folder.at('a'));
    for (let index = 0; index < files; index++) writeFileSync(folder.at(`a/${index}`), '');
    folder.write('b/gone.md');
    folder.write('c/there.md');
    const connector = await folder.open();
    const paths: string[] = [];
    const listing = async (): Promise<void> => {
      for await (const { path } of withoutCheckpoints(connector.list({ signal: calm() }))) {
        if (paths.push(path) === 1) rmSync(folder.at('b'), { recursive: true });
      }
    };
    const error = await listing().catch((thrown: unknown) => thrown);
    assert.match(String(error), /b \(it vanished/);
    assert.ok(paths.includes('c/there.md'));
    assert.is(paths.length, files + 1);
  }),
);

test(
  'leaves out a file that vanishes during the listing',
  inFolder(async (folder) => {
    for (let index = 0; index < 4000; index++) folder.write(`${index}.md`, '');
    const connector = await folder.open();
    let count = 0;
    for await (const { path } of withoutCheckpoints(connector.list({ signal: calm() }))) {
      assert.is.not(path, '999.md');
      if (count++ === 0) rmSync(folder.at('999.md'));
    }
    assert.is(count, 3999);
  }),
);

test(
  'walks a large tree only as fast as the caller consumes entries',
  inFolder(async (folder) => {
    for (let index = 0; index < 8000; index += 1) {
      if (index % 500 === 0) folder.mkdir(String(index));
      writeFileSync(folder.at(`${index - (index % 500)}/${index}`), '');
    }
    const connector = await folder.open();
    const iterator = withoutCheckpoints(connector.list({ signal: calm() }));
    await iterator.next();
    // Each check takes a turn of the thread. These turns would be enough to finish the walk.
    for (let turn = 0; turn < 100; turn++) await connector.check({ signal: calm() });
    folder.write('7500/late', '');
    const rest: string[] = [];
    for (let step = await iterator.next(); step.done !== true; step = await iterator.next()) {
      rest.push(step.value.path);
    }
    assert.ok(rest.includes('7500/late'));
    assert.is((await collect(connector.list({ signal: calm() }))).length, 8001);
  }),
);

test.run();
