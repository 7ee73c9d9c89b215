import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { waitUntil } from '@trove/test-support/waiting.js';
import { fail, startApi } from './support/api-server.js';
import { temporaryHome } from './support/home.js';
import { jobOf } from './support/samples.js';
import { runOnTerminal } from './support/terminal.js';
import { collect, runTrove, spawnTrove } from './support/trove.js';

const test = suite('trove add');

/** Routes of a server with a job that passes through the given states, one per request. */
function jobRoutes(...states: object[]) {
  let asked = 0;
  return {
    'POST /v1/add': () => ({ job_id: 'job-1', overlaps: [], warnings: [] }),
    'GET /v1/jobs/job-1': () => jobOf(states[Math.min(asked++, states.length - 1)]),
  };
}

/** The answer of a server with these sources. */
function statusOf(roots: readonly string[]) {
  return {
    connectors: roots.map((root_uri) => ({ root_uri })),
    jobs: {},
    embedding: { switch: null },
    disk: {},
  };
}

test('sends an absolute path and the options, waits, and prints a summary', async () => {
  await using home = await temporaryHome();
  await using api = await startApi(jobRoutes({ status: 'running', finished_at: null }, {}));
  await mkdir(join(home.path, 'notes'));
  await writeFile(join(home.path, 'c.toml'), 'depth = 2\n[[objects]]\nmatch = "*.csv"\n');
  const args = [
    'add',
    'notes',
    '--config',
    'c.toml',
    '--full',
    '--since',
    '2026-01-01',
    '--update',
  ];
  const { code, stdout } = await runTrove([...args, '--endpoint', api.endpoint], {
    home: home.path,
  });
  assert.is(code, 0);
  assert.equal(api.received[0]?.body, {
    target: join(home.path, 'notes'),
    config: { depth: 2, objects: [{ match: '*.csv' }] },
    full: true,
    since: '2026-01-01',
    process: false,
    update: true,
  });
  assert.match(stdout, 'Synced /data/notes in 2.5 s');
  assert.match(stdout, '1 added, 1 changed, 1 unchanged; 7 chunks');
});

test('reports a full disk while the job waits, and when space is free again', async () => {
  await using home = await temporaryHome();
  const running = { status: 'running', finished_at: null };
  const detail = 'The disk of /home/me/.trove is full. Free some space.';
  const full = { ...running, obstacle: { code: 'disk_full', detail } };
  await using api = await startApi(jobRoutes(full, full, running, {}));
  const args = ['add', 'slack://acme', '--endpoint', api.endpoint];
  const { stderr } = await runOnTerminal(args, {
    cwd: home.path,
    env: { TROVE_HOME: home.path, NO_COLOR: '1' },
  });
  assert.is(stderr.split(`warning: disk_full: ${detail}`).length, 2, stderr);
  assert.match(stderr, /\[[#-]+\] the disk is full · /);
  assert.match(stderr, 'There is enough disk space again.');
});

test('sends a URI unchanged and resolves ~ to the home folder', async () => {
  await using home = await temporaryHome();
  await using api = await startApi(jobRoutes({}));
  for (const [target, sent] of [
    ['slack://acme', 'slack://acme'],
    ['~/x', join(home.path, 'x')],
    ['a/../b/', join(home.path, 'b')],
  ] as const) {
    const args = ['add', target, '-d', '--endpoint', api.endpoint];
    const { code, stderr } = await runTrove(args, { home: home.path });
    assert.is(code, 0, stderr);
    assert.match(JSON.stringify(api.received.at(-1)?.body), `"target":"${sent}"`);
  }
});

test('prints the job and how to follow it with --no-wait', async () => {
  await using home = await temporaryHome();
  await using api = await startApi(jobRoutes({}));
  const args = ['add', 'notes', '--no-wait', '--endpoint', api.endpoint];
  const { code, stdout, stderr } = await runTrove(args, { home: home.path });
  assert.is(code, 0);
  assert.is(stdout, 'job-1\n');
  assert.match(stderr, 'trove job show job-1 --watch');
  assert.equal(
    api.received.map(({ route }) => route),
    ['POST /v1/add'],
  );
  const json = await runTrove([...args, '--json'], { home: home.path });
  assert.equal(JSON.parse(json.stdout), { job_id: 'job-1', overlaps: [], warnings: [] });
});

test('lists overlapping sources', async () => {
  await using home = await temporaryHome();
  const overlaps = ['/data', '/data/a%20b', '/1', '/2', '/3', '/4'].map(
    (at) => `file://local${at}`,
  );
  let synced: string | null = null;
  await using api = await startApi({
    ...jobRoutes({}),
    'POST /v1/add': () => ({ job_id: 'job-1', overlaps, warnings: [] }),
    'GET /v1/status': () => ({
      connectors: [{ root_uri: 'file://local/data/notes', last_synced_at: synced }],
      jobs: {},
      embedding: { switch: null },
      disk: {},
    }),
  });
  const args = ['add', '/data/notes', '--endpoint', api.endpoint];
  const { code, stdout, stderr } = await runTrove(args, { home: home.path });
  assert.is(code, 0);
  assert.match(stderr, 'Overlaps with /data, /data/a b, /1, /2, /3 and 1 more. Objects in several');
  assert.match(stderr, 'appear as one hit');
  assert.not.match(stdout, 'verlaps');
  const json = await runTrove([...args, '--no-wait', '--json'], { home: home.path });
  assert.equal(JSON.parse(json.stdout), { job_id: 'job-1', overlaps, warnings: [] });
  assert.is(json.stderr, '');
  synced = new Date().toISOString();
  const again = await runTrove(args, { home: home.path });
  assert.not.match(again.stderr, 'verlaps');
});

test('suggests another scheme for the parts of a single file', async () => {
  await using home = await temporaryHome();
  for (const [target, said] of [
    [
      'file://local/data/All%20mail.mbox',
      'messages one by one: trove add mbox://local/data/All%20mail.mbox',
    ],
    ['file://local/data/shop.SQLITE', 'one by one: trove add sqlite://local/data/shop.SQLITE'],
    ['file://local/data/notes.md', null],
    ['mbox://local/data/a.mbox', null],
  ] as const) {
    await using api = await startApi(jobRoutes({ target }));
    const { stderr } = await runTrove(['add', target, '--endpoint', api.endpoint], {
      home: home.path,
    });
    assert.is(stderr.includes('one by one'), said !== null, target);
    if (said !== null) assert.ok(stderr.includes(said), stderr);
  }
});

test('prints warnings of the server', async () => {
  await using home = await temporaryHome();
  const warnings = ['The secret config.token is stored as plain text'];
  await using api = await startApi({
    ...jobRoutes({}),
    'POST /v1/add': () => ({ job_id: 'job-1', overlaps: [], warnings }),
  });
  const args = ['add', '/data/notes', '--endpoint', api.endpoint];
  const { stdout, stderr } = await runTrove(args, { home: home.path });
  assert.match(stderr, `warning: ${warnings[0]}\n`);
  assert.not.match(stdout, 'warning');
  const json = await runTrove([...args, '--no-wait', '--json'], { home: home.path });
  assert.equal(JSON.parse(json.stdout).warnings, warnings);
});

test('asks before adding a very large folder and fails without a terminal', async () => {
  await using home = await temporaryHome();
  const nothing = { 'GET /v1/status': () => statusOf([]) };
  await using api = await startApi({ ...jobRoutes({}), ...nothing });
  const added = () => api.received.filter(({ route }) => route === 'POST /v1/add').length;
  const options = ['-d', '--endpoint', api.endpoint];
  for (const target of ['/', '~', '.', '/proc', 'file:///', `file://local${home.path}`]) {
    const { code, stderr } = await runTrove(['add', target, ...options], { home: home.path });
    assert.is(code, 1, target);
    assert.match(stderr, /is (?:the whole machine|a home folder|a whole disk)/, target);
    assert.match(stderr, 'trove add -y', target);
  }
  assert.is(added(), 0);
  assert.is((await runTrove(['add', '/', '-y', ...options], { home: home.path })).code, 0);
  assert.is(added(), 1);
  const terminal = { cwd: home.path, env: { TROVE_HOME: home.path } };
  const no = await runOnTerminal(['add', '/', ...options], { ...terminal, answer: false });
  assert.is(no.code, 1);
  assert.match(no.stderr, '/ is the whole machine. Index all of it?');
  assert.is(added(), 1);
  const yes = await runOnTerminal(['add', '/', ...options], { ...terminal, answer: true });
  assert.is(yes.code, 0);
  assert.is(added(), 2);
});

test('includes the estimated size in the question about a very large folder', async () => {
  await using home = await temporaryHome();
  const estimate = { target: 'file://local/', type: 'file', objects: 12_345, sampled_objects: 50 };
  await using api = await startApi({
    ...jobRoutes({}),
    'GET /v1/status': () => statusOf([]),
    'POST /v1/connectors/estimate': () => ({ ...estimate, est_chunks: 45_678, est_tokens: 9e6 }),
  });
  const place = { cwd: home.path, env: { TROVE_HOME: home.path }, answer: false };
  const { code, stderr } = await runOnTerminal(['add', '/', '--endpoint', api.endpoint], place);
  assert.is(code, 1);
  assert.match(stderr, '/ is the whole machine: about 12,345 objects, 45,678 chunks. Index all');
});

test('syncs a registered source without a question', async () => {
  await using home = await temporaryHome();
  const known = { 'GET /v1/status': () => statusOf([`file://local${home.path}`]) };
  await using api = await startApi({ ...jobRoutes({}), ...known });
  const args = ['add', '~', '-d', '--endpoint', api.endpoint];
  assert.is((await runTrove(args, { home: home.path })).code, 0);
});

test('exits with 1 and lists failures if something failed', async () => {
  await using home = await temporaryHome();
  const failures = Array.from({ length: 6 }, (_, index) => ({
    path: `file://local/data/notes/${index}.pdf`,
    code: 'conversion_failed',
    error: 'broken',
  }));
  const cases: [object, RegExp][] = [
    [
      { status: 'partial', failed_objects: 9, failures },
      /\/data\/notes\/0\.pdf: conversion_failed: broken/,
    ],
    [{ status: 'partial', failed_objects: 9, failures }, /and 4 more: trove job show job-1/],
    [{ status: 'failed', error: 'connector_unhealthy' }, /failed \(connector_unhealthy\)/],
    [{ status: 'cancelled', error: 'cancelled' }, /Cancelled/],
    [{ status: 'exploded', finished_at: '2026-01-01T00:00:03Z' }, /exploded/],
  ];
  for (const [state, text] of cases) {
    await using api = await startApi(jobRoutes(state));
    const { code, stdout } = await runTrove(['add', 'notes', '--endpoint', api.endpoint], {
      home: home.path,
    });
    assert.is(code, 1);
    assert.match(stdout, text);
  }
});

test('prints the warning about missing summaries once', async () => {
  await using home = await temporaryHome();
  const state = { summaries_missing: 7, warnings: ['7 summaries are left for the next sync'] };
  await using api = await startApi(jobRoutes(state));
  const { stdout } = await runTrove(['add', 'notes', '--endpoint', api.endpoint], {
    home: home.path,
  });
  assert.match(stdout, 'Warning 7 summaries are left for the next sync');
  assert.not.match(stdout, /more/);
});

test('prints only the finished job with --json', async () => {
  await using home = await temporaryHome();
  await using api = await startApi(jobRoutes({}));
  const result = await runTrove(['add', 'notes', '--json', '--endpoint', api.endpoint], {
    home: home.path,
  });
  assert.equal(JSON.parse(result.stdout), jobOf());
  assert.is(result.stderr, '');
});

test('follows a running sync to its end, then syncs again', async () => {
  await using home = await temporaryHome();
  let asked = 0;
  await using api = await startApi({
    ...jobRoutes({}),
    'POST /v1/add': () =>
      asked++ === 0
        ? fail(409, 'sync_already_running', 'a sync runs')
        : { job_id: 'job-1', overlaps: [], warnings: [] },
    'GET /v1/jobs': () => [jobOf({ id: 'job-0', status: 'running', finished_at: null })],
    'GET /v1/jobs/job-0': () => jobOf({ id: 'job-0' }),
  });
  const args = ['add', 'notes', '--endpoint', api.endpoint];
  const { code, stdout, stderr } = await runTrove(args, { home: home.path });
  assert.is(code, 0);
  assert.match(stderr, 'A sync of /data/notes is already running (job-0). Another sync follows.');
  assert.match(stdout, 'Synced /data/notes');
  assert.equal(
    api.received.map(({ route }) => route),
    ['POST /v1/add', 'GET /v1/jobs', 'GET /v1/jobs/job-0', 'POST /v1/add', 'GET /v1/jobs/job-1'],
  );
});

test('names the command that asks for missing settings', async () => {
  await using home = await temporaryHome();
  await using api = await startApi({
    'POST /v1/add': () => fail(422, 'validation_error', 'config.token: is required'),
  });
  const args = ['add', 'linear://acme', '--endpoint', api.endpoint];
  const { code, stderr } = await runTrove(args, { home: home.path });
  assert.is(code, 2);
  assert.match(stderr, 'config.token: is required');
  assert.match(stderr, 'hint: `trove-server connector add` asks for the settings');
});

test("shows the server's error and its suggestions", async () => {
  await using home = await temporaryHome();
  await using api = await startApi({
    'POST /v1/add': () => fail(409, 'connector_removing', 'it is being removed', ['Wait for it.']),
  });
  const args = ['add', 'notes', '--no-wait', '--endpoint', api.endpoint];
  const plain = await runTrove(args, { home: home.path });
  assert.is(plain.code, 1);
  assert.is(plain.stdout, '');
  assert.is(plain.stderr, 'error: it is being removed\nhint: Wait for it.\n');
  const json = await runTrove([...args, '--json'], { home: home.path });
  assert.equal(JSON.parse(json.stderr), {
    code: 'connector_removing',
    detail: 'it is being removed',
    suggestions: ['Wait for it.'],
  });
});

test('adds its own commands to the suggestions of the server', async () => {
  await using home = await temporaryHome();
  await using api = await startApi({
    'GET /v1/ls': () => fail(404, 'not_found', 'no source holds it', ['Add it first.']),
  });
  const { stderr } = await runTrove(['ls', 'notes', '--endpoint', api.endpoint], {
    home: home.path,
  });
  assert.match(
    stderr,
    /^error: no source holds it\nhint: Add it first\.\nhint: .*`trove add PATH`/,
  );
});

test('draws a bar on a terminal and removes it', async () => {
  await using home = await temporaryHome();
  const half = { status: 'running', finished_at: null, total_objects: 6, chunks: 1200 };
  await using api = await startApi(jobRoutes(half, {}));
  const { stderr } = await runOnTerminal(['add', 'notes', '--endpoint', api.endpoint], {
    cwd: home.path,
    env: { TROVE_HOME: home.path },
  });
  assert.match(stderr, '[############------------] 3/6 objects · 1,200 chunks');
  assert.ok(stderr.includes('\r\u001b[2KNext: trove search'), JSON.stringify(stderr));
});

test('shows on a terminal how long the index has been optimized', async () => {
  await using home = await temporaryHome();
  const done = { succeeded_objects: 6, total_objects: 6, chunks: 1200 };
  const optimizing = { status: 'running', phase: 'optimizing', finished_at: null, ...done };
  await using api = await startApi(jobRoutes(optimizing, {}));
  const { stderr } = await runOnTerminal(['add', 'notes', '--endpoint', api.endpoint], {
    cwd: home.path,
    env: { TROVE_HOME: home.path },
  });
  assert.match(stderr, /6 objects done · optimizing the index \(0\.\d s so far\)/);
});

test('tolerates a short silence of the server', async () => {
  await using home = await temporaryHome();
  let asked = 0;
  await using api = await startApi({
    'POST /v1/add': () => ({ job_id: 'job-1', overlaps: [], warnings: [] }),
    'GET /v1/jobs/job-1': ({ drop }) => (asked++ === 0 ? drop() : jobOf()),
  });
  const { code } = await runTrove(['add', 'notes', '--endpoint', api.endpoint], {
    home: home.path,
  });
  assert.is(code, 0);
  assert.ok(asked >= 2);
});

test('explains on Ctrl-C that the job continues, and exits on the second', async () => {
  await using home = await temporaryHome();
  await using api = await startApi(jobRoutes({ status: 'running', finished_at: null }));
  const child = spawnTrove(['add', 'notes', '--endpoint', api.endpoint], { home: home.path });
  const stderr = collect(child.stderr);
  const closed = once(child, 'close');
  await waitUntil(
    () => api.received.some(({ route }) => route === 'GET /v1/jobs/job-1'),
    'it asks',
  );
  child.kill('SIGINT');
  await waitUntil(() => stderr().includes('trove job cancel job-1'), 'it explains');
  assert.is(child.exitCode, null);
  assert.match(stderr(), 'The job continues on the server');
  child.kill('SIGINT');
  const [code] = await closed;
  assert.is(code, 130);
  assert.not(api.received.some(({ route }) => route.includes('cancel')));
});

test.run();
