import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { StateWriter, storedFiles } from '../src/sources/uploads/tasks/tree-state.js';

const test = suite('the state of stored files');

const file = { size: 3, mtimeNs: '1', inode: null, sha1: 'a'.repeat(40) };

function inTree(run: (tree: string) => void): void {
  const tree = mkdtempSync(join(tmpdir(), 'trove-tree-'));
  try {
    run(tree);
  } finally {
    rmSync(tree, { recursive: true });
  }
}

test('reads the written state', () =>
  inTree((tree) => {
    for (const count of [0, 1, 999, 1000, 1001, 2500]) {
      const names = Array.from({ length: count }, (_, at) => `é\n${at}.md`);
      const state = new Map(names.map((name) => [name, file]));
      const writer = new StateWriter(tree);
      for (const [name, stored] of state) writer.add(name, stored);
      writer.finish();
      writer.close();
      assert.equal([...storedFiles(tree)], [...state], `${count} files`);
      rmSync(writer.path);
    }
  }));

test('ignores a damaged state from the damage on', () =>
  inTree((tree) => {
    const whole = ['a.md', 3, '1', null, file.sha1];
    const known = (): string[] => Array.from(storedFiles(tree), ([path]) => path);
    for (const damaged of [{}, [[]], [whole, ['b.md', '3', '1', null, '']], [whole, null]]) {
      writeFileSync(join(tree, 'state.jsonl'), JSON.stringify(damaged));
      assert.equal(known(), [], JSON.stringify(damaged));
    }
    const good = JSON.stringify([whole]);
    for (const damaged of ['{}\n', good.slice(0, -3)]) {
      writeFileSync(join(tree, 'state.jsonl'), `${good}\n${damaged}${good}\n`);
      assert.equal(known(), ['a.md'], damaged);
    }
  }));

test.run();
