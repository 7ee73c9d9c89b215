import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { temporaryHome } from './support/home.js';
import { place } from './support/place.js';
import { runTrove } from './support/trove.js';

const test = suite('sources export and apply');

test('exports definitions, shows a difference, applies it, and then changes nothing', async () => {
  await using here = await place();
  const { ok, trove, notes } = here;
  const file = join(notes, '..', 'sources.toml');
  await mkdir(join(notes, '..', 'papers'));
  await ok('serve', 'start');
  await writeFile(file, '[[objects]]\nmatch = "*.md"\nchunk_max = 5\n');
  await ok('add', 'notes', '--config', file);
  const text = await ok('sources', 'export');
  assert.match(text, `target = "${notes}"\n`);
  assert.match(text, 'match = "*.md"\nchunk_max = 5\n');
  await ok('sources', 'export', '-o', 'sources.toml');
  assert.is(await readFile(file, 'utf8'), text);
  assert.match((await trove('sources', 'apply', 'sources.toml')).stderr, 'Nothing to change: 0 ');

  await writeFile(file, '[[sources]]\ntarget = "papers"\n[[sources]]\ntarget = "./notes"\n');
  const dry = await ok('sources', 'apply', 'sources.toml', '--dry-run');
  assert.match(dry, /add +papers\n/);
  assert.match(dry, /update +notes +objects\n/);
  assert.is(await ok('ls'), 'notes\n');
  await ok('sources', 'apply', 'sources.toml');
  assert.is(await ok('ls'), 'notes\npapers\n');
  await writeFile(file, '[[sources]]\ntarget = "papers"\n');
  const { changes } = JSON.parse(await ok('sources', 'apply', 'sources.toml', '--prune', '--json'));
  assert.equal(
    changes.map(({ action }: { action: string }) => action),
    ['none', 'remove'],
  );
  assert.is(await ok('ls'), 'papers\n');
  await writeFile(file, '[[sources]]\ntarget = "nowhere"\n');
  const failed = await trove('sources', 'apply', 'sources.toml');
  assert.is(failed.code, 1);
  assert.match(failed.stderr, /error: nowhere: /);
});

test('refuses files that do not define sources', async () => {
  await using home = await temporaryHome();
  const file = join(home.path, 'sources.toml');
  for (const [text, reason] of [
    ['sources = 1', /not a list/],
    ['[[source]]', /unknown key source/],
    ['[[sources]]', /source 1 has no `target`/],
    ['[[sources]]\ntarget = "a"\nconfg = {}', /source 1: unknown key confg/],
    ['[[sources]]\ntarget = "a"\nconfig = 1', /`config` is not a table/],
    ['= 1', /sources\.toml/],
  ] as const) {
    await writeFile(file, text);
    const { code, stderr } = await runTrove(['sources', 'apply', file], { home: home.path });
    assert.is(code, 2, text);
    assert.match(stderr, reason);
  }
  const missing = await runTrove(['sources', 'apply', 'none.toml'], { home: home.path });
  assert.is(missing.code, 2);
});

test.run();
