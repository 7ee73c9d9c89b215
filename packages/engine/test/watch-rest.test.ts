import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { SyncThrottle } from '../src/ingest/watching/sync-throttle.js';

const test = suite('the pause between syncs');

/** Simulates syncs of `syncMs`, each as soon as allowed, for `forMs`. Returns their total duration. */
function busy(rest: SyncThrottle, syncMs: number, from: number, forMs: number): number {
  let took = 0;
  for (let now = from; now < from + forMs; now += rest.remainingMs(now)) {
    now += syncMs;
    took += syncMs;
    rest.add({ began: now - syncMs, ended: now, chunks: null });
  }
  return took;
}

test('syncs constant changes a tenth of the time, plus the saved pause', () => {
  for (const syncMs of [10, 300, 2000]) {
    const rest = new SyncThrottle();
    const hour = 3_600_000;
    const took = busy(rest, syncMs, 0, hour);
    assert.ok(took <= hour / 10 + 60_000 / 9 + syncMs, `${took} ms by ${syncMs}`);
    assert.ok(took >= hour / 10 - syncMs, `${took} ms by ${syncMs}`);
  }
});

test('after a quiet time, syncs several changes in a row without delay', () => {
  const rest = new SyncThrottle();
  const day = 86_400_000;
  busy(rest, 300, 0, 600_000);
  let now = day;
  for (let count = 0; count < 20; count++) {
    assert.is(rest.remainingMs(now), 0);
    now += 300;
    rest.add({ began: now - 300, ended: now, chunks: null });
  }
  // A longer time saves no more.
  assert.ok(busy(rest, 300, now, 10_000) <= 3000);
});

test('pauses at most a minute, even after a long sync', () => {
  const rest = new SyncThrottle();
  let now = 0;
  for (const longest of [0, 60_000, 60_000]) {
    now += 600_000;
    rest.add({ began: now - 600_000, ended: now, chunks: null });
    assert.is(rest.remainingMs(now), longest);
    now += rest.remainingMs(now);
  }
});

test('a sync that waited for other jobs pauses only for its own work', () => {
  const rest = new SyncThrottle();
  let now = 10_000;
  rest.add({ began: 0, ended: now, chunks: null });
  const from = now;
  for (let count = 0; count < 20; count++) {
    now += 5000;
    rest.add({ began: now - 5000, ended: now, chunks: 1 });
    now += rest.remainingMs(now);
  }
  assert.ok(now - from < 20 * (5000 + 1000), String(now));
  rest.add({ began: now, ended: now + 5000, chunks: 1000 });
  assert.ok(rest.remainingMs(now + 5000) > 9 * 4000);
});

test.run();
