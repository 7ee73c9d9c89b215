import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { takeBest, mergeRows, type ScoredRows } from '../src/scored-rows.js';

const test = suite('found rows');

const found = (...pairs: readonly (readonly [id: number, score: number])[]): ScoredRows => ({
  ids: Float64Array.from(pairs, ([id]) => id),
  scores: Float64Array.from(pairs, ([, score]) => score),
});

test('adds weighted scores of the same row and counts its duplicates once', () => {
  const large = 2 ** 40 + 1;
  const terms = found([7, 4], [large, 3], [7, 4], [5, 1]);
  const pairs = found([5, 20], [large, 10], [9, 5]);
  const sums = mergeRows(terms, pairs, { weight: 0.5, isOpen: false });
  assert.equal([...sums.ids], [7, large, 5]);
  assert.equal([...sums.scores], [4, 8, 11]);
});

test('adds the other rows where the first list may be incomplete', () => {
  const sums = mergeRows(found([3, 1]), found([9, 10], [3, 2]), { weight: 0.5, isOpen: true });
  assert.equal([...sums.ids], [3, 9]);
  assert.equal([...sums.scores], [2, 5]);
});

test('distinguishes many rows for any distribution of ids', () => {
  const ids = Array.from({ length: 700 }, (_, at) => 2 ** 32 * (at % 7) + 1024 * at);
  const rows = found(...ids.map((id): [number, number] => [id, id]));
  for (const isOpen of [false, true]) {
    const sums = mergeRows(rows, found([1, 5], ...ids.map((id): [number, number] => [id, 1])), {
      weight: 1,
      isOpen,
    });
    assert.equal([...sums.ids], isOpen ? [...ids, 1] : ids);
    assert.equal(
      [...sums.scores],
      isOpen ? [...ids.map((id) => id + 1), 5] : ids.map((id) => id + 1),
    );
  }
});

test('returns the best rows and all ties of the last one', () => {
  const rows = found([1, 0.5], [2, 2], [3, 1], [4, 1], [5, 1], [6, 0.25]);
  const keys = (wanted: number): string[] => takeBest(rows, wanted).map(({ key }) => key);
  assert.equal(keys(2), ['2', '3', '4', '5']);
  assert.equal(keys(1), ['2']);
  assert.equal(keys(9), ['2', '3', '4', '5', '1', '6']);
});

test.run();
