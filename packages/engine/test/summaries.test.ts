import type { Engine, SearchQuery } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { ManualClock } from '@trove/test-support/manual-clock.js';
import { rejection } from '@trove/test-support/rejection.js';
import { found, root, sync } from './support/engine.js';
import { SummaryWorld } from './support/summaries.js';

interface Context {
  world: SummaryWorld;
  engine: Engine;
}

const test = suite<Context>('summaries');

test.before.each(async (context) => {
  context.world = new SummaryWorld();
  context.engine = await context.world.openSummarizing();
});

test.after.each(async ({ engine }) => {
  await engine.close();
});

/** The summaries in the index, as source and text, by source. */
async function written(
  engine: Engine,
  kind: SearchQuery['kind'] = 'summary,directory_summary,schema_summary,vlm_description',
): Promise<string[]> {
  const { results } = await engine.search({ q: 'gist', mode: 'keyword', kind, top_k: 100 });
  const shown = results.map(({ source, content, metadata }) => {
    const path = source.slice(root.length + 1);
    return `${path} ${metadata.chunk_kind}: ${content}`;
  });
  return shown.sort();
}

test('a file is found by its summary, which opens by its locator', async ({ world, engine }) => {
  world.source.set('fruit.md', 'apples are red and round');
  world.source.set('short.md', 'apples');
  const job = await sync(engine);
  assert.equal(
    [job.status, job.summaries, job.summaries_missing, job.model_calls],
    ['succeeded', 1, 0, 1],
  );
  assert.ok(job.model_input_tokens > 0 && job.model_output_tokens > 0);
  const [hit] = (await engine.search({ q: 'gist', kind: 'summary' })).results;
  assert.ok(hit !== undefined);
  assert.is(hit.source, `${root}/fruit.md`);
  assert.is(hit.content, 'the gist of apples are red');
  const locator = JSON.stringify(hit.locator);
  const opened = await engine.cat({ path: hit.source, locator });
  assert.is(opened.content, hit.content);
  const error = await rejection(() => engine.cat({ path: `${root}/short.md`, locator }));
  assert.is(error.code, 'locator_not_found');
  assert.is((await engine.cat({ path: hit.source })).content, 'apples are red and round');
});

test('the minimum length counts characters, not bytes', async ({ world, engine }) => {
  world.source.set('short.md', 'ÄÖÜäöüßéè');
  world.source.set('long.md', 'ÄÖÜäöüßéèê');
  assert.is((await sync(engine)).summaries, 1);
  assert.is((await written(engine, 'summary')).length, 1);
  assert.match((await written(engine, 'summary')).join(), /^long\.md /);
});

test('only changed files are summarized again', async ({ world, engine }) => {
  world.source.set('a.md', 'apples are red and round');
  world.source.set('b.md', 'pears are green and long');
  await sync(engine);
  const asked = world.model.prompts.length;
  const again = await sync(engine);
  assert.equal([again.summaries, again.model_calls], [0, 0]);
  world.source.set('a.md', 'quinces are yellow and hard');
  const changed = await sync(engine);
  // The file and its folder.
  assert.is(changed.model_calls, 2);
  assert.is(world.model.prompts.length, asked + 2);
  assert.equal(await written(engine, 'summary'), [
    'a.md summary: the gist of quinces are yellow',
    'b.md summary: the gist of pears are green',
  ]);
});

test('a summary is moved and removed with its object', async ({ world, engine }) => {
  world.source.set('a.md', 'apples are red and round');
  world.source.set('b.md', 'pears are green and long');
  await sync(engine);
  world.source.remove('a.md');
  world.source.rename('b.md', 'c.md');
  const job = await sync(engine);
  assert.is(job.model_calls, 0);
  assert.equal(await written(engine), ['c.md summary: the gist of pears are green']);
  const locator = '{"chunk_kind":"summary"}';
  const error = await rejection(() => engine.cat({ path: `${root}/a.md`, locator }));
  assert.is(error.code, 'locator_not_found');
});

test('a folder is summarized after its items, and only if they changed', async ({
  world,
  engine,
}) => {
  world.source.set('garden/beds/beans.md', 'beans climb up their poles');
  world.source.set('garden/beds/peas.md', 'peas climb up their nets');
  world.source.set('garden/trees/apples.md', 'apples are red and round');
  world.source.set('garden-tools.md', 'spades are for digging');
  await sync(engine);
  const folders = [
    ' directory_summary: the gist of garden-tools.md: the gist',
    'garden directory_summary: the gist of beds/: the gist',
    'garden/beds directory_summary: the gist of beans.md: the gist',
  ];
  assert.equal(await written(engine, 'directory_summary'), folders);
  const prompt = world.model.prompts.find((text) => text.startsWith('beds/'));
  assert.is(
    prompt,
    'beds/: the gist of beans.md: the gist\n\ntrees/: the gist of apples are red',
    'a folder with one item has the summary of that item',
  );
  const path = `${root}/garden/beds`;
  const opened = await engine.cat({ path, locator: '{"chunk_kind":"directory_summary"}' });
  assert.is(opened.content, 'the gist of beans.md: the gist');
  assert.is((await rejection(() => engine.cat({ path }))).code, 'is_directory');

  const asked = world.model.prompts.length;
  world.source.set('garden/trees/apples.md', 'pears are green and long');
  await sync(engine);
  assert.equal(
    world.model.prompts.slice(asked).map((text) => text.split(' ')[0]),
    ['pears', 'beds/:'],
    'the root reads the same as before',
  );
  for (const name of ['beans', 'peas']) world.source.remove(`garden/beds/${name}.md`);
  await sync(engine);
  assert.equal(await written(engine, 'directory_summary'), [
    ' directory_summary: the gist of garden-tools.md: the gist',
  ]);
});

const png = Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 1]);

test('only images up to a size are described when summaries are off', async ({ world, engine }) => {
  await engine.close();
  const describing = await world.openSummarizing({
    summary: { enabled: false },
    description: { enabled: true, maxImageBytes: 100 },
  });
  try {
    world.source.set('cat.png', png);
    world.source.set('large.png', Buffer.concat([png, Buffer.alloc(100)]));
    world.source.set('lying.png', Uint8Array.from([0, 1, 2, 3]));
    world.source.set('a.md', 'apples are red and round');
    const job = await sync(describing);
    assert.equal([job.summaries, job.model_calls, job.left_out], [1, 1, 3]);
    assert.equal(await written(describing), [
      'cat.png vlm_description: the gist of image/png of 17',
    ]);
    const { entries } = await describing.ls({ path: root });
    assert.equal(
      entries.map(({ name, search_status, reason }) => [name, search_status, reason]),
      [
        ['a.md', 'indexed', null],
        ['cat.png', 'indexed', null],
        ['large.png', 'not_indexed', 'not a text'],
        ['lying.png', 'not_indexed', 'not a text'],
      ],
    );
    world.source.set('cat.png', png);
    assert.is((await sync(describing)).model_calls, 0, 'the same image');
  } finally {
    await describing.close();
  }
});

test('a left-out image is not described', async ({ world, engine }) => {
  await engine.close();
  const describing = await world.openSummarizing({ description: { enabled: true } });
  try {
    world.source.set('cat.png', png);
    world.source.set('dog.png', Buffer.concat([png, png]), {
      kind: 'image',
      mediaType: 'image/png',
    });
    const config = { objects: [{ match: 'dog.png', indexable: false }] };
    assert.is((await sync(describing, { config })).model_calls, 1);
  } finally {
    await describing.close();
  }
});

test('the schema of a table is summarized', async ({ world, engine }) => {
  world.source.set('orders', 'id int, buyer int', { kind: 'table_schema' });
  await sync(engine);
  assert.equal(await written(engine), ['orders schema_summary: the gist of id int, buyer']);
});

test('a failed summary is reported and written by the next sync', async ({ world, engine }) => {
  world.source.set('a.md', 'apples are red and round');
  world.source.set('b.md', 'pears are green and REFUSED');
  world.source.set('c.md', 'plums are blue and soft');
  world.faultsOfModel.refuse = 'REFUSED';
  const job = await sync(engine);
  assert.equal(
    [job.status, job.failed_objects, job.summaries, job.summaries_missing],
    ['partial', 0, 2, 1],
  );
  const [failure] = job.failures;
  assert.equal([failure?.path, failure?.code], ['b.md', 'validation_error']);
  assert.match(failure?.error ?? '', /^The prompt is refused\. Correct/);
  assert.match(job.warnings.join(), '1 summary is left for the next sync');
  assert.equal(await found(engine, 'pears'), [`${root}/b.md`]);
  assert.equal(
    await written(engine),
    ['a.md summary: the gist of apples are red', 'c.md summary: the gist of plums are blue'],
    'the folder waits until all its items are summarized',
  );
  world.faultsOfModel.refuse = null;
  const next = await sync(engine);
  assert.equal([next.status, next.summaries, next.model_calls], ['succeeded', 2, 2]);
});

test('an outdated summary is removed when the new one fails', async ({ world, engine }) => {
  world.source.set('a.md', 'apples are red and round');
  await sync(engine);
  world.source.set('a.md', 'pears are green and REFUSED');
  world.faultsOfModel.refuse = 'REFUSED';
  await sync(engine);
  assert.equal(await written(engine), []);
});

test('five equal failures or one fatal failure end the calls', async ({ world, engine }) => {
  for (let at = 0; at < 9; at++) world.source.set(`${at}.md`, `apples are red and SILENT ${at}`);
  world.faultsOfModel.silence = 'SILENT';
  const silent = await sync(engine);
  assert.equal([silent.status, silent.summaries_missing], ['partial', 9]);
  assert.ok(silent.failures.length < 7, 'one more call may have begun');
  assert.match(silent.warnings.join(), /5 objects in a row failed for the same reason/);
  assert.equal((await found(engine, 'apples')).length, 9);
  world.faultsOfModel.failure = 'auth';
  const refused = await sync(engine);
  assert.is(refused.summaries_missing, 9);
  assert.ok(refused.failures.length < 3, 'one more call may have begun');
  assert.is(refused.failures[0]?.code, 'llm_auth_failed');
});

test('a model that fails every second time is given up', async ({ world, engine }) => {
  for (let at = 0; at < 40; at++) {
    const word = at % 2 === 0 ? 'SILENT' : 'quiet';
    world.source.set(`${String(at).padStart(2, '0')}.md`, `apples are red and ${word} ${at}`);
  }
  world.faultsOfModel.silence = 'SILENT';
  const job = await sync(engine);
  assert.is(job.status, 'partial');
  assert.ok(job.summaries >= 9 && job.summaries < 15, String(job.summaries));
  assert.match(job.warnings.join(), /10 of the last \d+ attempts failed: /);
});

test('a job writes for a limited time, and the next one continues', async ({ world, engine }) => {
  for (const fruit of ['apples', 'pears', 'plums'])
    world.source.set(`${fruit}.md`, `${fruit} are sweet and ripe`);
  const hourMs = 60 * 60 * 1000;
  using clock = new ManualClock(hourMs);
  world.beforeAnswer = () => {
    const answers = world.model.prompts.length;
    if (answers === 1) clock.advance(5 * hourMs);
    if (answers === 2) clock.advance(hourMs);
  };
  const job = await sync(engine);
  assert.equal([job.summaries, job.summaries_missing], [2, 1]);
  assert.match(job.warnings.join(), /1 summary is left for the next sync: .*6 hours/);
  const next = await sync(engine);
  assert.equal([next.summaries, next.summaries_missing], [2, 0]);
});

test('a job stays within its token budget, and the next one continues', async ({
  world,
  engine,
}) => {
  await engine.close();
  const thrifty = await world.openSummarizing({
    // Each call may use about 2,140 tokens and counts as at least 140.
    llm: { provider: 'shared', concurrency: 4, maxTokensPerJob: 2500 },
  });
  try {
    for (const fruit of ['apples', 'pears', 'plums', 'quinces', 'figs', 'dates'])
      world.source.set(`${fruit}.md`, `${fruit} are sweet and ripe`);
    const first = await sync(thrifty);
    assert.is(first.status, 'succeeded');
    assert.ok(first.summaries > 0 && first.summaries < 6, String(first.summaries));
    assert.match(first.warnings.join(), /2500 tokens of \[llm\].max_tokens_per_job/);
    assert.ok(first.model_input_tokens + first.model_output_tokens <= 2500);
    const second = await sync(thrifty);
    assert.ok(second.summaries > 0);
  } finally {
    await thrifty.close();
  }
});

test('a full sync writes all summaries again', async ({ world, engine }) => {
  world.source.set('a.md', 'apples are red and round');
  await sync(engine);
  const job = await sync(engine, { full: true });
  assert.equal([job.summaries, job.model_calls], [1, 1]);
});

test('disabling summaries removes them', async ({ world, engine }) => {
  world.source.set('a.md', 'apples are red and round');
  world.source.set('b.md', 'pears are green and long');
  await sync(engine);
  assert.is((await written(engine)).length, 3);
  await engine.close();
  const plain = await world.open();
  try {
    await sync(plain);
    assert.equal(await written(plain), []);
    assert.equal(await found(plain, 'apples'), [`${root}/a.md`]);
  } finally {
    await plain.close();
  }
});

test('a summary with a lost row is restored from the cache', async ({ world, engine }) => {
  world.source.set('a.md', 'apples are red and round');
  await sync(engine);
  await engine.close();
  world.storage.collections.clear();
  const again = await world.openSummarizing();
  try {
    const job = await sync(again);
    assert.equal([job.summaries, job.model_calls], [1, 0]);
    assert.equal(await written(again), ['a.md summary: the gist of apples are red']);
    assert.equal(await found(again, 'round'), [`${root}/a.md`]);
  } finally {
    await again.close();
  }
});

test('a cancelled job keeps written summaries and skips the rest', async ({ world, engine }) => {
  for (const fruit of ['apples', 'pears', 'plums'])
    world.source.set(`${fruit}.md`, `${fruit} are sweet and ripe`);
  world.faultsOfModel.hold = new Promise(() => {});
  engine.startWorker();
  const { job_id: id } = await engine.add({ target: root });
  while ((await engine.job(id)).phase !== 'summarizing') await new Promise(setImmediate);
  assert.is((await found(engine, 'plums')).length, 1, 'its text is found before it is summed up');
  await engine.cancel(id);
  while ((await engine.job(id)).status === 'running') await new Promise(setImmediate);
  assert.is((await engine.job(id)).status, 'cancelled');
  world.faultsOfModel.hold = null;
  assert.equal((await sync(engine)).summaries, 4);
});

test('collapse returns one hit per source', async ({ world, engine }) => {
  world.source.set('a.md', 'apples are red and round');
  await sync(engine);
  const { results } = await engine.search({ q: 'apples', mode: 'keyword', collapse: true });
  assert.is(results.length, 1);
  assert.is((await engine.search({ q: 'apples', mode: 'keyword' })).results.length, 2);
});

test.run();
