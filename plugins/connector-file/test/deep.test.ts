import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { inFolder, level, listed, reasonOf, search, shown, textOf } from './folder.js';

const test = suite('file connector, deep folders');

test(
  'lists two thousand nested folders in linear time',
  inFolder(async (folder) => {
    const depth = 2000;
    folder.nest('d', depth);
    try {
      const connector = await folder.open();
      const entries = await listed(connector);
      assert.is(entries.size, depth);
      assert.is((await search(connector, 'needle', { limit: 10_000 })).length, depth);
      const deepest = `${'d/'.repeat(depth)}f.md`;
      assert.is(await textOf(connector, deepest), 'needle\n');
      assert.is(await reasonOf(connector, deepest), '');
      assert.equal([...(await level(connector, deepest.slice(0, -5))).keys()], ['f.md']);
    } finally {
      folder.removeDeep('d');
    }
  }),
);

test(
  'reports folders with too long paths, and lists and searches the rest',
  inFolder(async (folder) => {
    const name = 'x'.repeat(100);
    folder.nest(name, 60);
    try {
      const connector = await folder.open();
      const entries = [...(await listed(connector)).values()];
      const files = entries.filter(({ skip }) => skip === undefined);
      assert.ok(files.length > 30 && files.length < 60, `${files.length} files`);
      const skipped = entries.filter(({ skip }) => skip !== undefined);
      assert.is(skipped.length, 1);
      assert.match(skipped[0]?.skip ?? '', /longer than the system can open/);
      const found = shown(await search(connector, 'needle'));
      assert.is(found.length, files.length + 1);
      assert.is(found.at(-1), '1 path too long to open, not searched.');
    } finally {
      folder.removeDeep(name);
    }
  }),
);

test.run();
