import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PassageIds } from '../../src/build/draft.js';

const test = suite('ids of passages');

test('numbers copies and skips ids in use', () => {
  const ids = new PassageIds();
  const given = ['a', 'a-3', 'a', 'a', 'a', 'a-3', 'a-2'];
  assert.equal(
    given.map((id) => ids.assign({ id, text: '' })),
    ['a', 'a-3', 'a-2', 'a-4', 'a-5', 'a-3-2', 'a-2-2'],
  );
});

test('assigns ids to many equal texts in constant time each', () => {
  const ids = new PassageIds();
  for (let copy = 0; copy < 200_000; copy++) ids.assign({ id: null, text: 'the same' });
  assert.match(ids.assign({ id: null, text: 'the same' }), /-200001$/);
});

test.run();
