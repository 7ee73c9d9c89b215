// test-waits
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { testAlerts, type Engine, type EngineOptions } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { ManualClock } from '@trove/test-support/manual-clock.js';
import { waitUntil } from '@trove/test-support/waiting.js';
import { withFolder } from '@trove/test-support/with-folder.js';
import { AlertReceiver } from './support/alert-receiver.js';
import { root, sync, World } from './support/engine.js';

const hour = 3_600_000;
const checkMs = 5000;
const test = suite('alerts');

interface Scene {
  readonly world: World;
  readonly engine: Engine;
  readonly clock: ManualClock;
  readonly receiver: AlertReceiver;
}

async function withAlerts(
  run: (scene: Scene) => Promise<void>,
  options: Partial<EngineOptions> = {},
): Promise<void> {
  await using receiver = await AlertReceiver.start();
  const world = new World();
  world.source.set('a.txt', 'quinces');
  using clock = new ManualClock(1000, { date: true });
  const alerts = { webhook: receiver.url, baseUrl: 'http://127.0.0.1:13619' };
  const engine = await world.open({ alerts, ...options });
  engine.startWorker();
  try {
    await run({ world, engine, clock, receiver });
  } finally {
    await engine.close();
  }
}

/** Lets the alert service check a few times. */
async function checkOften(clock: ManualClock): Promise<void> {
  for (let round = 0; round < 5; round++) {
    clock.advance(checkMs);
    await sleep(50);
  }
}

async function fail({ world, engine }: Scene, times: number): Promise<void> {
  world.source.failListingAfter = 0;
  for (let time = 0; time < times; time++) await sync(engine);
}

const arrived = ({ receiver, clock }: Scene, count: number): Promise<void> =>
  waitUntil(() => {
    clock.advance(checkMs);
    return receiver.received.length >= count;
  }, `${count} alerts`);

test('sends one alert after the third failure in a row, and one for the recovery', () =>
  withAlerts(async (scene) => {
    const { engine, world, clock, receiver } = scene;
    await sync(engine);
    await fail(scene, 2);
    await checkOften(clock);
    assert.equal(receiver.received, []);
    const { failing_since: since } = (await engine.status()).connectors[0] ?? {};

    await fail(scene, 1);
    await arrived(scene, 1);
    await fail(scene, 2);
    await checkOften(clock);
    assert.is(receiver.received.length, 1);
    assert.equal(receiver.received[0]?.body, {
      event: 'source_failing',
      source: root,
      code: 'connector_unhealthy',
      detail: 'The memory source broke off its listing.',
      since,
      url: 'http://127.0.0.1:13619/#/source?root=memory%3A%2F%2Flocal',
    });

    world.source.failListingAfter = null;
    await sync(engine);
    await arrived(scene, 2);
    await checkOften(clock);
    assert.equal(receiver.events, [`source_failing ${root}`, `source_recovered ${root}`]);
    const recovery = receiver.received[1]?.body;
    assert.equal([recovery?.code, recovery?.since], ['connector_unhealthy', since]);
  }));

test('repeats an alert until the webhook accepts it, in order, with the same id', () =>
  withAlerts(async (scene) => {
    const { engine, world, clock, receiver } = scene;
    receiver.answer = 500;
    await fail(scene, 3);
    await arrived(scene, 1);
    receiver.answer = null;
    world.source.failListingAfter = null;
    await sync(engine);
    // The store measures pauses with its own clock.
    await waitUntil(() => {
      clock.advance(checkMs);
      return receiver.received.length >= 2;
    }, 'the second attempt');
    receiver.answer = 204;
    await waitUntil(() => {
      clock.advance(checkMs);
      return receiver.events.length === 2;
    }, 'the recovery');
    await checkOften(clock);
    assert.equal(receiver.events, [`source_failing ${root}`, `source_recovered ${root}`]);
    assert.is(new Set(receiver.received.map(({ id }) => id)).size, 2);
    assert.ok(
      world.log.some((line) => line.includes('HTTP 500')),
      world.log.join('\n'),
    );
    assert.not.ok(world.log.some((line) => line.includes('very-secret')));
  }));

test('logs at the start that a webhook cannot be used', async () => {
  for (const [webhook, reason] of [
    ['env:TROVE_TEST_MISSING_WEBHOOK', 'TROVE_TEST_MISSING_WEBHOOK is not set'],
    ['hooks.example/very-secret', 'alerts.webhook: is not a URL'],
  ] as const) {
    const world = new World();
    const engine = await world.open({ alerts: { webhook } });
    engine.startWorker();
    try {
      const isLogged = (): boolean =>
        world.log.some((line) => line.includes('alerts cannot be sent') && line.includes(reason));
      await waitUntil(isLogged, reason);
      assert.not.ok(world.log.some((line) => line.includes('very-secret')));
    } finally {
      await engine.close();
    }
  }
});

test('sends an undelivered alert after a restart', async () => {
  await using receiver = await AlertReceiver.start();
  const world = new World();
  world.source.set('a.txt', 'quinces');
  using clock = new ManualClock(1000, { date: true });
  const alerts = { webhook: receiver.url };
  receiver.answer = 503;
  const before = await world.open({ alerts });
  before.startWorker();
  await fail({ world, engine: before, clock, receiver }, 3);
  await arrived({ world, engine: before, clock, receiver }, 1);
  await before.close();
  receiver.answer = 200;
  const engine = await world.open({ alerts });
  engine.startAlerts();
  const attempts = receiver.received.length;
  await arrived({ world, engine, clock, receiver }, attempts + 1);
  await checkOften(clock);
  assert.equal(receiver.events, [`source_failing ${root}`]);
  assert.is(receiver.received.length, attempts + 1);
  await engine.close();
});

test('sends an alert for a source that no worker syncs', async () => {
  await using receiver = await AlertReceiver.start();
  const world = new World();
  world.source.set('a.txt', 'quinces');
  using clock = new ManualClock(1000, { date: true });
  const engine = await world.open({ alerts: { webhook: receiver.url } });
  await sync(engine, { config: { every: '1h' } });
  engine.startAlerts();
  await checkOften(clock);
  const { next_sync_at: next } = (await engine.status()).connectors[0] ?? {};
  const third = Date.parse(next ?? '') + 2 * hour;
  clock.advance(third - Date.now() - 60_000);
  await checkOften(clock);
  assert.equal(receiver.received, []);
  clock.advance(60_000);
  await arrived({ world, engine, clock, receiver }, 1);
  const overdue = receiver.received[0]?.body;
  assert.equal(
    [overdue?.event, overdue?.code, overdue?.url],
    ['source_failing', 'sync_overdue', null],
  );
  await engine.close();
});

test('runs a command with the alert on its standard input', () =>
  withFolder(async (folder) => {
    const script = join(folder, 'notify.mjs');
    const output = join(folder, 'alerts');
    await writeFile(
      script,
      `import { appendFileSync, readFileSync } from 'node:fs';
      const secrets = Object.keys(process.env).filter((name) => name.startsWith('TROVE_'));
      appendFileSync(process.argv[2], secrets.join() + ' ' + readFileSync(0, 'utf8'));`,
    );
    process.env['TROVE_SECRET_OF_TEST'] = 'never';
    await withAlerts(
      async (scene) => {
        await fail(scene, 3);
        const read = (): Promise<string> => readFile(output, 'utf8').catch(() => '');
        await waitUntil(async () => {
          scene.clock.advance(checkMs);
          return (await read()).endsWith('\n');
        }, 'the alert');
        await checkOften(scene.clock);
        assert.match(await read(), /^TROVE_ALERT_ID \{"event":"source_failing".*\}\n$/);
      },
      { alerts: { command: [process.execPath, script, output] } },
    );
    delete process.env['TROVE_SECRET_OF_TEST'];
  }));

test('tests all receivers and reports their errors', async () => {
  await using receiver = await AlertReceiver.start();
  const command = [process.execPath, '-e', 'console.error("no pager"); process.exit(3)'];
  const results = await testAlerts({ alerts: { webhook: receiver.url, command } });
  assert.equal(results, [
    { channel: 'webhook', error: null },
    { channel: 'command', error: 'The command exited with 3: no pager' },
  ]);
  assert.is(receiver.received[0]?.body['code'], 'alert_test');
  receiver.answer = 404;
  const missing = await testAlerts({
    alerts: { webhook: receiver.url, command: ['/does/not/exist'] },
  });
  assert.is(missing[0]?.error, 'The webhook answered with HTTP 404.');
  assert.match(missing[1]?.error ?? '', 'ENOENT');
  assert.equal(await testAlerts({}), []);
});

test.run();
