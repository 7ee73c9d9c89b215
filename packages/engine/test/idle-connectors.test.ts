import { silentLogger } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { ManualClock } from '@trove/test-support/manual-clock.js';
import { IdleConnectors } from '../src/sources/connectors/idle-connectors.js';

const test = suite('idle connectors');

function connectorsOf(count: number): {
  readonly connectors: { rootUri: string; closeIdle(): Promise<void> }[];
  readonly closed: string[];
} {
  const closed: string[] = [];
  const connectors = Array.from({ length: count }, (_, at) => {
    const rootUri = `memory://${at}`;
    return { rootUri, closeIdle: async () => void closed.push(rootUri) };
  });
  return { connectors, closed };
}

test('closes a connector five minutes after its last call', () => {
  using clock = new ManualClock(1000, { date: true });
  const idle = new IdleConnectors(silentLogger);
  const { connectors, closed } = connectorsOf(2);
  const [first, second] = connectors;
  assert.ok(first && second);
  idle.add(first);
  idle.add(second);
  clock.advance(290_000);
  assert.equal(closed, []);
  idle.add(first);
  clock.advance(10_000);
  assert.equal(closed, ['memory://1']);
  clock.advance(290_000);
  assert.equal(closed, ['memory://1', 'memory://0']);
  assert.equal(clock.waiting, [], 'no timer remains');
});

test('closes the least recently used of more than 100 connectors', () => {
  using clock = new ManualClock(1000, { date: true });
  const idle = new IdleConnectors(silentLogger);
  const { connectors, closed } = connectorsOf(103);
  for (const connector of connectors) idle.add(connector);
  const [first, second] = connectors;
  assert.ok(first && second);
  idle.add(first);
  idle.remove(second);
  assert.equal(clock.waiting, [5000], 'one timer for all');
  clock.advance(10_000);
  assert.equal(closed, ['memory://2', 'memory://3']);
});

test('keeps the connectors of the last ten seconds', () => {
  using clock = new ManualClock(1000, { date: true });
  const idle = new IdleConnectors(silentLogger);
  const { connectors, closed } = connectorsOf(150);
  const [first, ...rest] = connectors;
  assert.ok(first);
  idle.add(first);
  clock.advance(5000);
  for (const connector of rest) idle.add(connector);
  clock.advance(5000);
  assert.equal(closed, ['memory://0']);
  clock.advance(10_000);
  assert.is(closed.length, 50);
});

test.run();
