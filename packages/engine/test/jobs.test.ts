import { isTroveError, TroveError } from '@trove/core';
import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import { maxWaitMs } from '@trove/test-support/waiting.js';
import { found, root, sync, World } from './support/engine.js';

interface Context {
  world: World;
  engine: Engine;
}

const test = suite<Context>('reports of jobs and sources');

test.before.each(async (context) => {
  context.world = new World();
  context.engine = await context.world.open();
});
test.after.each(({ engine }) => engine.close());

const counts = ({
  added,
  changed,
  removed,
  unchanged,
  left_out,
}: Awaited<ReturnType<typeof sync>>) => ({
  added,
  changed,
  removed,
  unchanged,
  left_out,
});

test('adding a source reports overlapping sources', async ({ engine }) => {
  const add = async (target: string) => (await engine.add({ target, process: true })).overlaps;
  assert.equal(await add(`${root}/a/b`), []);
  assert.equal(await add(`${root}/a/bc`), []);
  assert.equal((await add(`${root}/a`)).sort(), [`${root}/a/b`, `${root}/a/bc`]);
  assert.equal(await add(`${root}/a/b/`), [`${root}/a`]);
  await engine.remove({ target: `${root}/a` });
  assert.equal(await add(`${root}/a/b`), []);
});

test('counts match the view of a user', async ({ world, engine }) => {
  for (const name of ['a', 'b', 'c', 'd']) world.source.set(`${name}.md`, `fruit ${name}`);
  world.source.set('picture.png', Uint8Array.of(0, 1, 2, 3, 0));
  const first = await sync(engine);
  const nothing = { added: 0, changed: 0, removed: 0, unchanged: 0, left_out: 0 };
  assert.equal(counts(first), { ...nothing, added: 4, left_out: 1 });
  assert.equal(first.failures, []);
  assert.equal(first.left_out_reasons, [{ path: 'picture.png', reason: 'not a text', objects: 1 }]);
  assert.equal([first.status, first.phase, first.failed_objects], ['succeeded', null, 0]);

  world.source.set('a.md', 'fruit changed');
  world.source.rename('b.md', 'moved.md');
  world.source.remove('c.md');
  const second = await sync(engine);
  assert.equal(counts(second), { added: 0, changed: 2, removed: 1, unchanged: 1, left_out: 1 });
  const { total_objects, succeeded_objects, skipped_objects } = second;
  assert.equal([total_objects, succeeded_objects, skipped_objects], [5, 3, 2]);
  assert.equal(
    second.left_out_reasons,
    first.left_out_reasons,
    'left-out objects are reported again',
  );
});

test('an old Office document is left out with a way to convert it', async ({ world, engine }) => {
  const bytes = Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0, 0);
  world.source.set('Letter.DOC', bytes);
  world.source.set('table.xls', 'plain,text');
  const { added, left_out_reasons } = await sync(engine);
  assert.is(added, 1, 'a text is a text, whatever its name');
  const [left] = left_out_reasons;
  assert.is(left?.path, 'Letter.DOC');
  assert.match(left?.reason ?? '', 'soffice --headless --convert-to docx FILE');
  const error = await rejection(() => engine.cat({ path: `${root}/Letter.DOC` }));
  assert.match(isTroveError(error) ? error.suggestions.join() : '', 'Save it as .docx');
});

test('a rule that leaves objects out applies to unchanged objects', async ({ world, engine }) => {
  world.source.set('a.md', 'apples');
  world.source.set('b.md', 'pears');
  assert.is((await sync(engine)).added, 2);
  const objects = [{ match: 'b.md', indexable: false }];
  const job = await sync(engine, { config: { objects }, update: true });
  assert.equal([job.unchanged, job.left_out], [1, 1]);
  assert.match(job.left_out_reasons[0]?.reason ?? '', /the rule `b.md`/);
  assert.equal(await found(engine, 'pears'), []);
  const { entries } = await engine.ls({ path: `${root}/b.md` });
  assert.match(entries[0]?.reason ?? '', /the rule `b.md`/);
  const back = await sync(engine, { config: { objects: [] }, update: true });
  assert.equal([back.added, back.unchanged, back.left_out], [1, 1, 0]);
});

test('an unreachable source reports its error and keeps its objects', async ({ world, engine }) => {
  world.source.set('a.md', 'apples');
  await sync(engine);
  const state = async () => {
    const row = (await engine.status()).connectors[0];
    const { status, error, detail } = await engine.inspect({ target: root });
    assert.equal([row?.status, row?.error, row?.detail], [status, error, detail]);
    return { status, error, object_count: row?.object_count, synced: row?.last_synced_at };
  };
  const before = await state();
  assert.equal([before.status, before.error], ['active', null]);

  world.source.token = 'changed';
  const refused = await rejection(() => engine.add({ target: root }));
  assert.is(refused.code, 'connector_unhealthy');
  assert.is((await engine.jobs()).length, 1, 'no job was made');
  const lost = { ...before, status: 'error', error: 'connector_unhealthy' };
  assert.equal(await state(), lost);

  world.source.token = null;
  world.source.failListingAfter = 0;
  const job = await sync(engine);
  assert.equal([job.status, job.error], ['failed', 'connector_unhealthy']);
  assert.match(job.detail ?? '', /broke off its listing/);
  assert.equal(await state(), lost);
  assert.equal(await found(engine, 'apples'), [`${root}/a.md`]);

  world.source.failListingAfter = null;
  assert.is((await sync(engine)).status, 'succeeded');
  assert.equal((await state()).error, null);
});

test('a cancelled job keeps the problem of its source', async ({ world, engine }) => {
  world.source.set('a.md', 'apples');
  world.source.failListingAfter = 0;
  await sync(engine);
  world.source.failListingAfter = null;
  const { job_id: id } = await engine.add({ target: root });
  assert.equal(await engine.cancel(id), { job_id: id, cancelled: true });
  const job = await engine.job(id);
  assert.equal([job.status, job.error], ['cancelled', 'cancelled']);
  assert.ok(job.detail);
  assert.is((await engine.status()).connectors[0]?.status, 'error');
  assert.equal(await engine.cancel(id), { job_id: id, cancelled: false });
});

test('a failing object is tried four times and fails alone with a reason', async ({
  world,
  engine,
}) => {
  world.source.set('a.md', 'apples');
  world.source.set('b.md', 'pears');
  let reads = 0;
  const failReading = world.source.failReading.get.bind(world.source.failReading);
  world.source.failReading.get = (path) => {
    if (path === 'a.md') reads++;
    return failReading(path);
  };
  world.source.failReading.set('a.md', new Error('the disk is on fire'));
  world.source.failReading.set(
    'b.md',
    new TroveError('plugin_invalid', 'this will never do', { retryable: false }),
  );
  const job = await sync(engine);
  assert.equal([job.status, job.failed_objects], ['partial', 2]);
  assert.is(reads, 4);
  const { entries } = await engine.ls({ path: root });
  const reasons = entries.map(({ search_status, reason }) => [search_status, reason]);
  assert.ok(
    reasons.every(([status]) => status === 'not_indexed'),
    JSON.stringify(reasons),
  );
  assert.ok(
    reasons.every(([, reason]) => reason !== null),
    JSON.stringify(reasons),
  );
});

test('a job continues after its caller times out, and the error says so', async ({
  world,
  engine,
}) => {
  world.source.set('a.md', 'apples');
  const leaving = new AbortController();
  let go = (): void => undefined;
  const held = new Promise<void>((resolve) => (go = resolve));
  world.source.pause = async () => {
    leaving.abort(new TroveError('timed_out', 'The request took longer than 1 s'));
    await held;
  };
  const error = await rejection(() =>
    engine.add({ target: root, process: true }, { signal: leaving.signal }),
  );
  const [job] = await engine.jobs();
  assert.ok(job);
  assert.equal([error.code, job.status, job.phase], ['timed_out', 'running', 'listing']);
  assert.match(error.message, `the job ${job.id} continues`);
  go();
  const ended = await engine.waitForJob(job.id, { signal: AbortSignal.timeout(maxWaitMs) });
  assert.equal([ended.status, ended.added], ['succeeded', 1]);
});

test.run();
