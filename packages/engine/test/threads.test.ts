import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { found, sync, World } from './support/engine.js';

const DEADLINE_MS = 20_000;
const test = suite('threads');

/** Worker threads of this process, as Node's own report has them. */
function threads(): number {
  const report: unknown = process.report?.getReport();
  const isReport = typeof report === 'object' && report !== null && 'workers' in report;
  return isReport && Array.isArray(report.workers) ? report.workers.length : 0;
}

test('threads end when there is nothing to do, and come back', async () => {
  const others = threads();
  const world = new World();
  const engine = await world.open();
  world.source.set('a.md', 'apples');
  await sync(engine);
  assert.ok(threads() > others, 'a thread did the work');

  const deadline = performance.now() + DEADLINE_MS;
  while (threads() > others && performance.now() < deadline) await sleep(50);
  assert.is(threads(), others);

  world.source.set('b.md', 'pears');
  await sync(engine);
  assert.is((await found(engine, 'pears')).length, 1);
  await engine.close();
});

test.run();
