import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { codeOf } from '@trove/test-support/rejection.js';
import { createTrove } from '../src/index.js';

const test = suite<{ root: string; trove: Engine }>("Trove's own files");

test.before.each(async (context) => {
  const root = await mkdtemp(join(tmpdir(), 'trove-own-'));
  await mkdir(join(root, 'home'));
  await writeFile(join(root, 'home', 'server.token'), 'sesame\n');
  await writeFile(join(root, 'notes.md'), 'open sesame\n');
  await symlink('home', join(root, 'link'));
  context.root = root;
  context.trove = await createTrove({
    home: join(root, 'link', '..', 'link'),
    settings: {
      index: { uri: join(root, 'elsewhere.lance') },
      metadata: { path: join(root, 'm.db') },
    },
  });
});
test.after.each(async ({ root, trove }) => {
  await trove.close();
  await rm(root, { recursive: true, force: true });
});

test('a source that contains the home omits its files', async ({ root, trove }) => {
  await writeFile(join(root, '.troveignore'), '!home/\n!link\n!server.token\n!m.db\n');
  await trove.add({ target: root, process: true, config: { ignore: ['!home/', '!*'] } });
  const hits = await trove.search({ q: 'sesame' });
  assert.is(hits.results[0]?.source, `file://local${root}/notes.md`);
  const ofTrove = /\/(?:home|link|elsewhere|m\.db)/;
  assert.not(hits.results.some(({ source }) => ofTrove.test(source)));
  const matches = await trove.grep({ pattern: 'sesame' });
  assert.equal(
    matches.results.map(({ source }) => source),
    [`file://local${root}/notes.md`],
  );
  const { entries } = await trove.ls({ path: root });
  for (const name of ['home', 'link', 'elsewhere.lance', 'm.db', 'm.db-wal']) {
    const entry = entries.find((each) => each.name === name);
    assert.match(entry?.reason ?? '', /never part of a source|link/, name);
    assert.is(entry?.indexable, false, name);
  }
});

test('no spelling of a path reads a file of the home', async ({ root, trove }) => {
  await trove.add({ target: root, process: true });
  for (const folder of ['home', 'link', 'home/../home', 'notes.md/../home', './link/../home']) {
    const path = `${root}/${folder}/server.token`;
    for (const read of [trove.cat, trove.head, trove.tail, trove.export]) {
      const code = await codeOf(read({ path }));
      assert.ok(code === 'path_not_allowed' || code === 'not_found', `${path}: ${code}`);
    }
  }
  assert.is(await codeOf(trove.cat({ path: join(root, 'home/server.token') })), 'path_not_allowed');
  assert.is(await codeOf(trove.ls({ path: join(root, 'home') })), 'path_not_allowed');
});

test('a source in the home is refused', async ({ root, trove }) => {
  for (const target of ['home', 'link', 'home/server.token', 'elsewhere.lance', 'm.db']) {
    const add = trove.add({ target: join(root, target), process: true });
    assert.is(await codeOf(add), 'path_not_allowed', target);
    assert.is(await codeOf(trove.estimate({ target: join(root, target) })), 'path_not_allowed');
  }
});

test.run();
