import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { entityId, passageId, relationId } from '../../src/identity/ids.js';
import { titleOf } from '../../src/identity/title.js';

const test = suite('identity');

test('ids depend only on the graph and the name', () => {
  assert.is(entityId('g', 'Émile Zola'), entityId('g', 'ÉMILE_ZOLA'));
  assert.is.not(entityId('g', 'Émile Zola'), entityId('h', 'Émile Zola'));
  assert.is.not(relationId('g', 'a', 'b c', 'd'), relationId('g', 'a b', 'c', 'd'));
  assert.is(relationId('g', 'A', 'B', 'C'), relationId('g', 'a', 'b', 'c'));
  assert.match(entityId('g', 'x'), /^[0-9a-f]{32}$/);
  assert.is(passageId('text'), passageId('text'));
  assert.is.not(passageId('text'), passageId('Text'));
});

test('takes the title from metadata, else from a short first line', () => {
  assert.is(titleOf({ title: ' Given ' }, 'First\nrest'), 'Given');
  assert.is(titleOf({ title: ' ' }, 'First\nrest'), 'First');
  assert.is(titleOf({ title: 7 }, 'Only a line'), null);
  assert.is(titleOf({}, 'First\n \n'), null);
  assert.is(titleOf({}, '\nrest'), null);
  assert.is(titleOf({}, `${'x'.repeat(120)}\nrest`), 'x'.repeat(120));
  assert.is(titleOf({}, `${'x'.repeat(121)}\nrest`), null);
});

test.run();
