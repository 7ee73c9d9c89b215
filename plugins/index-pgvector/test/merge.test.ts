import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { selectForMerge } from '../src/merge.js';

const test = suite('which segments are merged');

/** Consecutive segments with these numbers of entries. */
const segments = (...sizes: readonly number[]) =>
  sizes.map((entries, id) => ({ id, first: id * 100, last: id * 100 + 99, entries }));

const sizes = (...given: readonly number[]): number[] =>
  selectForMerge(segments(...given)).map(({ entries }) => entries);

test('takes the newest segments up to a much larger one', () => {
  assert.equal(sizes(), []);
  assert.equal(sizes(10), []);
  assert.equal(sizes(10, 10), [10, 10]);
  assert.equal(sizes(1000, 10), []);
  assert.equal(sizes(1000, 10, 10, 30), [10, 10, 30]);
  assert.equal(sizes(60, 10, 10, 10), [60, 10, 10, 10]);
  assert.equal(sizes(1000, 100, 40, 10), []);
});

test('includes a larger segment whose row numbers overlap', () => {
  const [large, ...small] = segments(1000, 10, 10);
  assert.ok(large);
  assert.equal(selectForMerge([{ ...large, last: 150 }, ...small]).length, 3);
});

test('merges each entry only a few times and keeps few segments', () => {
  let known: { id: number; first: number; last: number; entries: number }[] = [];
  let merged = 0;
  const writes = 1000;
  for (let id = 0; id < writes; id++) {
    known.push({ id, first: id, last: id, entries: 1 });
    const chosen = selectForMerge(known);
    const [oldest] = chosen;
    if (oldest === undefined) continue;
    const entries = chosen.reduce((sum, each) => sum + each.entries, 0);
    merged += entries;
    known = [
      ...known.filter((each) => !chosen.includes(each)),
      { id, first: oldest.first, last: id, entries },
    ];
    assert.ok(known.length < 12, `${known.length} segments`);
  }
  assert.ok(merged / writes < 20, `each of them was merged ${merged / writes} times`);
});

test.run();
