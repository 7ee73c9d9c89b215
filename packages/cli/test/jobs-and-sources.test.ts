import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { fail, startApi } from './support/api-server.js';
import { temporaryHome } from './support/home.js';
import { jobOf } from './support/samples.js';
import { runOnTerminal } from './support/terminal.js';
import { runTrove } from './support/trove.js';

const test = suite('jobs and sources');

test('status shows sources and jobs', async () => {
  await using home = await temporaryHome();
  const counts = { object_count: 1204, chunk_count: 8123, disk_bytes: 4_200_000 };
  const fine = {
    error: null,
    detail: null,
    watch: null,
    next_sync_at: null,
    paused: false,
    failing_since: null,
    last_error: null,
  };
  const row = { type: 'file', status: 'active', ...counts, ...fine };
  const failing_since = new Date(Date.now() - 3 * 3_600_000).toISOString();
  const problem = {
    error: 'connector_unhealthy',
    detail: 'There is no folder /gone',
    failing_since,
  };
  // Half a minute, because the next minute is shown.
  const next_sync_at = new Date(Date.now() + 39.5 * 60_000).toISOString();
  const watch = { by: 'polling', every_seconds: 600, detail: 'No folder can be watched.' };
  const connectors = [
    {
      ...row,
      root_uri: 'file://local/data/notes',
      last_synced_at: new Date().toISOString(),
      next_sync_at,
    },
    { ...row, root_uri: 'file://local/b', status: 'syncing', last_synced_at: null, watch },
    { ...row, ...problem, root_uri: 'file://local/gone', status: 'error', last_synced_at: null },
  ];
  const disk = {
    metadata: 4096,
    transformation_cache: 0,
    artifact_cache: null,
    index: 2048,
    uploads: null,
  };
  const disk_space = [
    { name: 'home', free_bytes: 9e11, state: 'ok', detail: null },
    { name: 'index', free_bytes: 400e6, state: 'low', detail: 'Only 400 MB are left.' },
    { name: 'artifact_cache', free_bytes: 1e6, state: 'full', detail: 'The disk is full.' },
  ];
  const embedding = { name: 'lexical/v2/512', switch: null };
  const answer = { connectors, embedding, jobs: { succeeded: 4, failed: 0 }, disk, disk_space };
  await using api = await startApi({ 'GET /v1/status': () => answer });
  const args = ['status', '--endpoint', api.endpoint];
  const { code, stdout } = await runTrove(args, { home: home.path });
  assert.is(code, 0);
  assert.match(stdout, /\/data\/notes +file +active +1,204 +8,123 +4\.2 MB +just now +in 40 min/);
  assert.ok(stdout.indexOf('/gone') < stdout.indexOf('/b '), 'failing sources come first');
  assert.match(stdout, /\/b +file +syncing +1,204 +8,123 +4\.2 MB +never/);
  assert.match(
    stdout,
    'Problem /gone: connector_unhealthy: There is no folder /gone (first failed 3 h ago)\n',
  );
  assert.match(stdout, 'Polled /b every 10 min: No folder can be watched.\n');
  assert.match(stdout, 'Jobs: 4 succeeded\n');
  assert.match(stdout, 'Disk low Only 400 MB are left.\nDisk full The disk is full.\n');
  const json = await runTrove([...args, '--json'], { home: home.path });
  assert.match(stdout, /^Disk: .* metadata, .* index$/m);
  assert.equal(JSON.parse(json.stdout), answer);
});

test('job list sends its filters', async () => {
  await using home = await temporaryHome();
  await using api = await startApi({ 'GET /v1/jobs': () => [jobOf()] });
  const options = ['--status', 'failed', '--target', 'notes', '-n', '5', '--offset', '1'];
  const { stdout } = await runTrove(['job', 'list', ...options, '--endpoint', api.endpoint], {
    home: home.path,
  });
  assert.equal(api.received[0]?.query, {
    status: 'failed',
    target: join(home.path, 'notes'),
    limit: '5',
    offset: '1',
  });
  assert.match(stdout, /job-1 +succeeded +1 +1 +0 +0 .* 2\.5 s +\/data\/notes/);
});

test('fits the list of jobs into 80 columns, and prints all of it in a pipe', async () => {
  await using home = await temporaryHome();
  const id = '7d683d7c-e502-4163-9302-990b36267c19';
  const target = 'file://local/data/a/very/long/way/to/the/notes';
  await using api = await startApi({ 'GET /v1/jobs': () => [jobOf({ id, target })] });
  const args = ['job', 'list', '--endpoint', api.endpoint];
  const place = { cwd: home.path, env: { TROVE_HOME: home.path, NO_COLOR: '1' } };
  const { stdout } = await runOnTerminal(args, place);
  const lines = stdout.trimEnd().split('\n');
  assert.ok(
    lines.every((line) => line.length <= 80),
    stdout,
  );
  assert.match(lines[0] ?? '', /^JOB +STATUS +FAILED +CREATED +SOURCE$/);
  assert.match(lines[1] ?? '', new RegExp(`^${id} .* ….*the/notes$`));
  const piped = await runTrove(args, { home: home.path });
  assert.match(piped.stdout, /ADDED +CHANGED +REMOVED +FAILED/);
  assert.match(piped.stdout, '/data/a/very/long/way/to/the/notes\n');
});

test('job show prints the reason, failed and left out objects, and warnings', async () => {
  await using home = await temporaryHome();
  const failures = [{ path: 'x.md', code: 'connector_unhealthy', error: 'it broke off' }];
  const leftOut = [{ path: 'a.png', reason: 'not a text', objects: 5 }];
  const job = jobOf({
    status: 'failed',
    error: 'circuit_breaker_tripped',
    detail: '5 objects in a row failed',
    failed_objects: 1,
    left_out: 5,
    left_out_reasons: leftOut,
    chunks_without_vector: 2,
    summaries: 3,
    summaries_missing: 1,
    model_calls: 2,
    model_input_tokens: 1000,
    model_output_tokens: 234,
    failures,
    warnings: ['The rule `*.xyz` matched nothing'],
  });
  await using api = await startApi({ 'GET /v1/jobs/job-1': () => job });
  const { stdout } = await runTrove(['job', 'show', 'job-1', '--endpoint', api.endpoint], {
    home: home.path,
  });
  for (const line of [
    /status +failed \(circuit_breaker_tripped\)\n/,
    /result +1 added, 1 changed, 1 unchanged, 5 left out, 1 failed; 7 chunks \(2 not embedded\); 3 summaries, 1 missing \(2 calls, 1,234 tokens\)\n/,
    'Why 5 objects in a row failed\n',
    'Failed (the next sync retries them)\n  x.md: connector_unhealthy: it broke off\n',
    'Left out\n  a.png: not a text (and 4 more)\n',
    'Warning The rule `*.xyz` matched nothing\n',
  ]) {
    assert.match(stdout, line);
  }
});

test('job show prints all data, and with --watch waits for the result', async () => {
  await using home = await temporaryHome();
  let asked = 0;
  const failures = [{ path: 'file://local/data/notes/x', code: 'c', error: 'e' }];
  await using api = await startApi({
    'GET /v1/jobs/job-1': () =>
      asked++ < 1
        ? jobOf({ status: 'running', finished_at: null })
        : jobOf({ status: 'partial', failed_objects: 1, failures }),
  });
  const show = ['job', 'show', 'job-1', '--endpoint', api.endpoint];
  const running = await runTrove(show, { home: home.path });
  assert.is(running.code, 0);
  assert.match(running.stdout, /status +running/);
  asked = 0;
  const watched = await runTrove([...show, '--watch'], { home: home.path });
  assert.is(watched.code, 1);
  assert.match(watched.stdout, /status +partial/);
  assert.match(watched.stdout, '/data/notes/x: c: e');
});

test('job cancel reports if the job was still running', async () => {
  await using home = await temporaryHome();
  await using api = await startApi({
    'POST /v1/jobs/a/cancel': () => ({ job_id: 'a', cancelled: true }),
    'POST /v1/jobs/b/cancel': () => ({ job_id: 'b', cancelled: false }),
  });
  const cancel = async (id: string) =>
    runTrove(['job', 'cancel', id, '--endpoint', api.endpoint], { home: home.path });
  assert.equal(await cancel('a'), { code: 0, stdout: 'Cancelled a\n', stderr: '' });
  assert.equal(await cancel('b'), { code: 1, stdout: 'b had already ended\n', stderr: '' });
  const unknown = await cancel('c');
  assert.is(unknown.code, 1);
  assert.match(unknown.stderr, 'error: ');
});

test('remove, probe, estimate and inspect send an absolute target', async () => {
  await using home = await temporaryHome();
  const target = join(home.path, 'notes');
  const uri = `file://local${target}`;
  await using api = await startApi({
    'DELETE /v1/connectors': () => ({ target: uri, removed: true }),
    'POST /v1/connectors/probe': ({ body }) =>
      JSON.stringify(body).includes('notes')
        ? { target: uri, type: 'file', ok: true, detail: '12 files' }
        : { target: 'x://y', type: 'x', ok: false, detail: 'refused' },
    'POST /v1/connectors/estimate': () => ({
      target: uri,
      type: 'file',
      objects: 5000,
      sampled_objects: 100,
      est_chunks: 20_000,
      est_tokens: 4_000_000,
      complete: true,
    }),
    'GET /v1/connectors/inspect': () => ({
      root_uri: uri,
      jobs: { failed: 1 },
      config: { a: { b: 1 } },
    }),
  });
  const run = async (...args: string[]) =>
    runTrove([...args, '--endpoint', api.endpoint], { home: home.path });
  await writeFile(join(home.path, 'c.toml'), 'a = 1');
  assert.is((await run('remove', 'notes')).stdout, 'Removed notes\n');
  assert.equal(api.received[0]?.query, { target });
  const probed = await run('probe', 'notes', '--config', 'c.toml');
  assert.is(probed.code, 0);
  assert.match(probed.stdout, /reachable +yes/);
  assert.equal(api.received[1]?.body, { target, config: { a: 1 } });
  assert.is((await run('probe', 'x://y')).code, 1);
  assert.match((await run('estimate', 'notes', '--since', '2026')).stdout, 'about 20,000');
  assert.equal(api.received[3]?.body, { target, config: null, since: '2026' });
  const inspected = await run('inspect', 'notes');
  assert.equal(api.received[4]?.query, { target });
  assert.match(inspected.stdout, /jobs +failed 1/);
  assert.match(inspected.stdout, '{"a":{"b":1}}');
});

test('connector explain shows the requests of the next sync', async () => {
  await using home = await temporaryHome();
  const answer = {
    target: 'desk://acme',
    type: 'desk',
    incremental: false,
    requests: [
      { name: 'check', request: 'GET https://d/me', body: null, repeats: null, paged: false },
      {
        name: 'notes',
        request: 'POST https://d/notes/{id}',
        body: '{"size":9}',
        repeats: 'for each of tickets',
        paged: true,
      },
    ],
  };
  await using api = await startApi({
    'POST /v1/connectors/explain': ({ body }) =>
      JSON.stringify(body).includes('file:')
        ? fail(400, 'not_supported', 'cannot tell', ['Check it with `probe`.'])
        : { ...answer, incremental: !JSON.stringify(body).includes('"full":true') },
  });
  const run = async (...args: string[]) =>
    runTrove(['connector', 'explain', ...args, '--endpoint', api.endpoint], { home: home.path });
  await writeFile(join(home.path, 'c.toml'), 'a = 1');
  const full = await run('desk://acme', '--config', 'c.toml', '--full');
  assert.equal(api.received[0]?.body, { target: 'desk://acme', config: { a: 1 }, full: true });
  assert.is(
    full.stdout,
    `The next sync of desk://acme lists everything:
check
  GET https://d/me
notes, for each of tickets, page by page
  POST https://d/notes/{id}
  {"size":9}
`,
  );
  assert.match((await run('desk://acme')).stdout, 'requests what has changed since the last one:');
  assert.equal(JSON.parse((await run('desk://acme', '--json', '--full')).stdout), answer);
  const refused = await run('file:///notes');
  assert.is(refused.code, 1);
  assert.match(refused.stderr, 'hint: Check it with `trove probe`.');
});

test('remove prints the reason of a failure', async () => {
  await using home = await temporaryHome();
  await using api = await startApi({
    'DELETE /v1/connectors': () =>
      fail(400, 'remove_requires_connector_root', 'that is inside /data', ['Remove /data.']),
  });
  const { code, stderr } = await runTrove(['remove', 'a', '--endpoint', api.endpoint], {
    home: home.path,
  });
  assert.is(code, 1);
  assert.is(stderr, 'error: that is inside /data\nhint: Remove /data.\n');
});

test.run();
