import type { ApplySourcesResponse, Engine } from '@trove/engine';
import { codeOf } from '@trove/test-support/rejection.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { sync, World } from './support/engine.js';

const test = suite('definitions of sources');

const one = 'memory://local/one';
const two = 'memory://local/two';
const three = 'memory://local/three';

async function withEngine(use: (engine: Engine, world: World) => Promise<void>): Promise<void> {
  const world = new World();
  world.source.set('a.txt', 'The lighthouse is tall.');
  const engine = await world.open();
  try {
    await use(engine, world);
  } finally {
    await engine.close();
  }
}

const actionsOf = ({ changes }: ApplySourcesResponse) =>
  changes.map(({ target, action, keys, error }) => [target, action, keys.join(' '), error]);

test('exports what a second server needs, and applying it changes nothing', () =>
  withEngine(async (engine) => {
    const rules = [{ match: '/***', indexable: false }];
    await sync(engine, { target: one, config: { token: 'in plain text', objects: rules } });
    await sync(engine, { target: two, config: { token: 'env:HOME', watch: false } });
    await sync(engine, { target: three });
    const exported = await engine.exportSources();
    assert.equal(exported.sources, [
      { target: one, config: { token: '***', objects: rules } },
      { target: three, config: null },
      { target: two, config: { token: 'env:HOME', watch: false } },
    ]);
    const jobs = (await engine.jobs()).length;
    const again = await engine.applySources({ ...exported, prune: true });
    assert.equal(
      again.changes.map(({ action }) => action),
      ['none', 'none', 'none'],
    );
    assert.is((await engine.jobs()).length, jobs);
  }));

test('shows the difference, makes it, and then finds none', () =>
  withEngine(async (engine) => {
    await sync(engine, { target: one, config: { token: 'in plain text' } });
    await sync(engine, { target: two });
    const request = {
      sources: [
        { target: one, config: { token: '***', watch: false } },
        { target: three, config: { token: 'env:HOME' } },
      ],
      prune: true,
    };
    const expected = [
      [one, 'update', 'watch', null],
      [three, 'add', 'token', null],
      [two, 'remove', '', null],
    ];
    const dry = await engine.applySources({ ...request, dry_run: true });
    assert.equal(actionsOf(dry), expected);
    assert.equal(
      (await engine.status()).connectors.map(({ root_uri }) => root_uri),
      [one, two],
    );
    const applied = await engine.applySources(request);
    assert.equal(actionsOf(applied), expected);
    engine.startWorker();
    for (const { job_id } of applied.changes) if (job_id !== null) await engine.waitForJob(job_id);
    assert.equal(
      (await engine.exportSources()).sources.map(({ target, config }) => [target, config]),
      [
        [one, { token: '***', watch: false }],
        [three, { token: 'env:HOME' }],
      ],
    );
    const again = await engine.applySources(request);
    assert.equal(
      again.changes.map(({ action }) => action),
      ['none', 'none'],
    );
  }));

test('keeps a hidden secret that the server has', () =>
  withEngine(async (engine, world) => {
    world.source.token = 'in plain text';
    await sync(engine, { target: one, config: { token: 'in plain text' } });
    const sources = [{ target: one, config: { token: '***', watch: false } }];
    const { changes } = await engine.applySources({ sources });
    engine.startWorker();
    const job = await engine.waitForJob(changes[0]?.job_id ?? '');
    assert.is(job.status, 'succeeded', JSON.stringify(job));
  }));

test('reports changes that are not possible, and makes the others', () =>
  withEngine(async (engine) => {
    const sources = [
      { target: one, config: { token: '***' } },
      { target: two, config: { tokn: 'x' } },
      { target: 'nowhere://x', config: null },
      { target: three, config: null },
    ];
    for (const dry_run of [true, false]) {
      const { changes } = await engine.applySources({ sources, dry_run });
      assert.equal(
        changes.map(({ error }) => error),
        ['config_invalid', 'config_invalid', 'not_available', null],
      );
    }
    assert.is((await engine.status()).connectors.length, 1);
  }));

test('refuses a source that is defined twice before it changes others', () =>
  withEngine(async (engine) => {
    const sources = [three, one, one].map((target) => ({ target, config: null }));
    assert.is(await codeOf(engine.applySources({ sources })), 'validation_error');
    assert.equal((await engine.status()).connectors, []);
  }));

test('changes the schedule of a source that is being synced', () =>
  withEngine(async (engine) => {
    // Without a worker, the job stays in the queue.
    await engine.add({ target: one });
    const sources = [{ target: one, config: { every: '1h' } }];
    const { changes } = await engine.applySources({ sources });
    assert.equal(changes, [
      { target: one, action: 'update', keys: ['every'], job_id: null, error: null, detail: null },
    ]);
    const changed = await engine.applySources({
      sources: [{ target: one, config: { token: 'x' } }],
    });
    assert.is(changed.changes[0]?.error, 'sync_already_running');
  }));

test.run();
