import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { readTreeState, writeTreeState } from '../src/uploads/tasks/tree-state.js';

const test = suite('what is known of the files of a tree');

const file = { size: 3, mtimeNs: '1', inode: null, sha1: 'a'.repeat(40) };

function inTree(run: (tree: string) => void): void {
  const tree = mkdtempSync(join(tmpdir(), 'trove-tree-'));
  try {
    run(tree);
  } finally {
    rmSync(tree, { recursive: true });
  }
}

test('what was written is read again', () =>
  inTree((tree) => {
    for (const count of [0, 1, 999, 1000, 1001, 2500]) {
      const names = Array.from({ length: count }, (_, at) => `é\n${at}.md`);
      const state = new Map(names.map((name) => [name, file]));
      writeTreeState(tree, state);
      assert.equal([...readTreeState(tree)], [...state], `${count} files`);
    }
  }));

test('of a damaged state nothing is believed: all files have to be sent again', () =>
  inTree((tree) => {
    const whole = ['a.md', 3, '1', null, file.sha1];
    for (const damaged of [{}, [[]], [whole, ['b.md', '3', '1', null, '']], [whole, null]]) {
      writeFileSync(join(tree, 'state.jsonl'), JSON.stringify(damaged));
      assert.is(readTreeState(tree).size, 0, JSON.stringify(damaged));
    }
    const good = JSON.stringify([whole]);
    for (const damaged of [`${good}\n{}\n`, `${good}\n${good.slice(0, -3)}`]) {
      writeFileSync(join(tree, 'state.jsonl'), damaged);
      assert.is(readTreeState(tree).size, 0, damaged);
    }
  }));

test.run();
