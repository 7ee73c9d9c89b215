import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { exponentOf, rowsAt, valueAt } from '../src/bench/scaling/growth.mjs';

const growth = suite('growth');
const near = (value, expected) => assert.ok(Math.abs(value / expected - 1) < 1e-9, `${value}`);
const linear = [
  [100, 5],
  [300, 20],
  [1000, (20 * 10) / 3],
];

growth('compares the two largest sizes', () => {
  near(exponentOf(linear), 1);
  near(
    exponentOf([
      [10, 3],
      [100, 300],
    ]),
    2,
  );
});

growth('continues the growth', () => {
  near(valueAt(linear, 10_000), 2000 / 3);
});

growth('expects no value below the last one', () => {
  const shrinking = [
    [100, 8],
    [1000, 4],
  ];
  assert.is(valueAt(shrinking, 10_000), 4);
  assert.is(rowsAt(shrinking, 100), Infinity);
});

growth('finds where a limit is reached', () => {
  near(rowsAt(linear, 200), 3000);
});

growth('finds a limit between two measured sizes', () => {
  near(rowsAt(linear, 40), 600);
});

growth('a limit exceeded at the smallest size is reached there', () => {
  assert.is(rowsAt(linear, 1), 100);
});

growth.run();
