import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { ManualClock } from '@trove/test-support/manual-clock.js';
import { LargeJobs, type RunningJobs } from '../src/generations/scheduling/large-jobs.js';

const test = suite('large jobs');

const jobOf = (id: string, chunks: number) => ({ id, chunks, summaries: 0 });

type Running = ReturnType<RunningJobs['jobs']['running']>;

/** A store whose reads are answered by the test, in order. */
class HeldStore implements RunningJobs {
  readonly answers: ((jobs: Awaited<Running>) => void)[] = [];

  readonly jobs = {
    running: (): Running => new Promise((resolve) => this.answers.push(resolve)),
  };
}

test('lists large running jobs with one read for concurrent calls', async () => {
  using clock = new ManualClock(1000, { date: true });
  const store = new HeldStore();
  const jobs = new LargeJobs(store);
  const calls = Promise.all([jobs.running(), jobs.running()]);
  store.answers[0]?.([jobOf('large', 500), jobOf('small', 499)]);
  assert.equal(await calls, [['large'], ['large']]);
  assert.equal(await jobs.running(), ['large']);
  assert.is(store.answers.length, 1);
  clock.advance(250);
  const later = jobs.running();
  store.answers[1]?.([]);
  assert.equal(await later, []);
});

test('does not reuse a list that was being read when a job ended', async () => {
  const store = new HeldStore();
  const jobs = new LargeJobs(store);
  const before = jobs.running();
  jobs.invalidate();
  store.answers[0]?.([jobOf('ended', 1000)]);
  assert.equal(await before, ['ended']);
  const after = jobs.running();
  store.answers[1]?.([]);
  assert.equal(await after, []);
});

test('lists no job while the store fails', async () => {
  const jobs = new LargeJobs({ jobs: { running: () => Promise.reject(new Error('locked')) } });
  assert.equal(await jobs.running(), []);
});

test.run();
