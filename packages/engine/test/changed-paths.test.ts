import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { ChangedPaths } from '../src/watch/changed-paths.js';

const test = suite('paths that have changed');

function taken(...paths: readonly string[]): readonly string[] | null {
  const changed = new ChangedPaths();
  for (const path of paths) changed.add(path);
  return changed.take();
}

test('what is below another path is not named beside it', () => {
  assert.equal(taken('a/b', 'a', 'a/b/c', 'ab', 'c/d/e', 'c/d/e', 'a-b'), [
    'a',
    'ab',
    'c/d/e',
    'a-b',
  ]);
  const changed = new ChangedPaths();
  changed.add('a');
  assert.equal(changed.take(), ['a']);
  assert.equal(changed.take(), []);
});

test('anything, and too much, is everything', () => {
  assert.is(taken('a', '', 'b'), null);
  const many = Array.from({ length: 1000 }, (_, at) => `${at}`);
  assert.is(taken(...many)?.length, 1000);
  assert.is(taken(...many, 'one more'), null);
});

test.run();
