import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { SeenPaths } from '../src/ingest/listing/seen-paths.js';
import { ChangedPaths } from '../src/ingest/watching/changed-paths.js';

const test = suite('changed paths');

function taken(...paths: readonly string[]): readonly string[] | null {
  const changed = new ChangedPaths();
  for (const path of paths) changed.add(path);
  return changed.take();
}

test('omits paths below other paths', () => {
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

test('an empty path and too many paths become all paths', () => {
  assert.is(taken('a', '', 'b'), null);
  const many = Array.from({ length: 1000 }, (_, at) => `${at}`);
  assert.is(taken(...many)?.length, 1000);
  assert.is(taken(...many, 'one more'), null);
});

test('beyond its capacity, any path may have been seen', () => {
  const met = new SeenPaths(2);
  met.add(['a', 'b']);
  assert.equal([met.isOverflowing, met.mayContain('a'), met.mayContain('c')], [false, true, false]);
  let asked = 0;
  met.add(
    (function* () {
      for (; asked < 9; asked++) yield `${asked}`;
    })(),
  );
  assert.is(asked, 1, 'what is not held is not even looked at');
  assert.equal([met.isOverflowing, met.mayContain('a'), met.mayContain('c')], [true, true, true]);
});

test.run();
