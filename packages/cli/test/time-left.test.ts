import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { TimeLeft } from '../src/jobs/time-left.js';

const test = suite('the time left');

test('follows the speed of the last minute', () => {
  const left = new TimeLeft();
  assert.is(left.estimate(0, 1000, 0), null);
  assert.is(left.estimate(10, 1000, 1000), null);
  assert.is(left.estimate(100, 1000, 10_000), 90_000);
  for (let second = 11; second <= 80; second++) left.estimate(100 + second, 1000, second * 1000);
  assert.is(left.estimate(190, 1000, 90_000), 810_000);
});

test('is unknown while nothing is done, and after a reset', () => {
  const left = new TimeLeft();
  left.estimate(5, 10, 0);
  assert.is(left.estimate(5, 10, 20_000), null);
  assert.is(left.estimate(10, 10, 40_000), 0);
  left.reset();
  assert.is(left.estimate(10, 10, 50_000), null);
});

test.run();
