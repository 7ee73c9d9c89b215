import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { startApi } from './support/api-server.js';
import { temporaryHome } from './support/home.js';
import { place } from './support/place.js';
import { runTrove } from './support/trove.js';

const test = suite('schedules');

test('sends the schedule apart from the configuration', async () => {
  await using home = await temporaryHome();
  await using api = await startApi({
    'POST /v1/add': () => ({ job_id: 'job-1', overlaps: [], warnings: [] }),
    'GET /v1/connectors/inspect': () => ({}),
  });
  const send = async (...args: string[]): Promise<unknown> => {
    const run = [...args, '--no-wait', '--endpoint', api.endpoint];
    const { code, stderr } = await runTrove(run, { home: home.path });
    assert.is(code, 0, stderr);
    return api.received.at(-1)?.body;
  };
  const added = { target: 'slack://acme', config: null, process: false };
  assert.equal(await send('add', 'slack://acme', '--every', '1h', '--watch'), {
    ...added,
    schedule: { every: '1h', cron: null, watch: true },
  });
  const updated = { ...added, update: true };
  const update = ['connector', 'update', 'slack://acme'];
  assert.equal(await send(...update, '--cron', '0 4 * * *', '--hours', '22:00-06:00'), {
    ...updated,
    schedule: { cron: '0 4 * * *', every: null, hours: '22:00-06:00' },
  });
  assert.equal(await send(...update, '--no-schedule'), {
    ...updated,
    schedule: { every: null, cron: null, hours: null },
  });
});

test('keeps the configuration if an update states no change', async () => {
  await using here = await place();
  const { ok, trove } = here;
  await ok('serve', 'start');
  await writeFile(join(here.notes, '..', 'rules.toml'), 'ignore = ["*.txt"]\n');
  await ok('add', 'notes', '--config', 'rules.toml');
  const { code, stderr } = await trove('connector', 'update', 'notes');
  assert.is(code, 2);
  assert.match(stderr, 'connector update needs --config or another change');
  assert.match(stderr, '--config FILE');
  const configOf = async () => JSON.parse(await ok('inspect', 'notes', '--json')).config;
  assert.equal(await configOf(), { ignore: ['*.txt'] });
  await writeFile(join(here.notes, '..', 'empty.toml'), '');
  await ok('connector', 'update', 'notes', '--config', 'empty.toml');
  assert.equal(await configOf(), {});
});

test('rejects two schedules', async () => {
  await using home = await temporaryHome();
  const args = ['add', 'slack://acme', '--every', '1h', '--cron', '0 4 * * *'];
  const { code, stderr } = await runTrove(args, { home: home.path });
  assert.is(code, 2);
  assert.match(stderr, '--every and --cron cannot be combined');
});

test('sets, shows, changes, pauses and ends the schedule of a folder', async () => {
  await using here = await place();
  const { ok, trove } = here;
  await ok('serve', 'start');
  await ok('add', 'notes', '--every', '1h');
  assert.match(await ok('status'), /SYNCED +NEXT\n.*notes.* just now +in (\d+ min|1 h)/);
  const wrong = await trove('connector', 'update', 'notes', '--every', '5m');
  assert.is(wrong.code, 1);
  assert.match(wrong.stderr, 'config.every: must be a time from 15m to 30d');
  await ok('connector', 'update', 'notes', '--every', '1d');
  assert.match(await ok('status'), /notes.* in \d+ h/);
  assert.match(await ok('connector', 'pause', 'notes'), 'notes is synced only on request');
  assert.match(await ok('status'), /notes.* paused/);
  assert.match(await ok('connector', 'resume', 'notes'), /notes is synced next in \d+ h/);
  await ok('connector', 'update', 'notes', '--no-schedule');
  assert.not.match(await ok('status'), 'NEXT');
});

test.run();
