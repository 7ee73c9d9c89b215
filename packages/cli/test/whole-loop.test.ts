// test-timeout: 600
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { listen } from '@trove/test-support/listen.js';
import { waitUntil } from '@trove/test-support/waiting.js';
import { serveFiles } from '../src/serve/files.js';
import { place } from './support/place.js';

const test = suite('the command with a real server');

async function pidOf(home: string): Promise<number> {
  return Number((await readFile(serveFiles(home).pid, 'utf8')).split('\n')[0]);
}

test('starts, adds, searches, reads, edits, adds again, removes and stops', async () => {
  await using here = await place();
  const { ok, trove, notes, endpoint } = here;
  assert.match(await ok('serve', 'start'), `at ${endpoint}`);
  assert.match(await ok('add', 'notes'), /Synced notes in .*\n {2}2 added; 2 chunks\n/);

  const [hit] = (await ok('search', 'when are tokens rotated', '--json'))
    .split('\n', 1)
    .map((line) => JSON.parse(line));
  assert.is(hit.source, `file://local${notes}/ops/tokens.md`);
  assert.match(await ok('search', 'when are tokens rotated'), 'notes/ops/tokens.md:');
  const reread = await ok('cat', hit.source, '--locator', JSON.stringify(hit.locator));
  assert.ok(reread.includes(hit.content), reread);
  const path = JSON.parse(await ok('ls', 'notes/ops', '--json')).entries[0].path;
  assert.is(
    await ok('cat', path, '--range', '3:3'),
    'Tokens are rotated every night by a cron job.\n',
  );

  await writeFile(
    join(notes, 'ops', 'tokens.md'),
    '# Rotation\n\nKeys change at noon, with fanfares.\n',
  );
  await writeFile(join(notes, 'new.md'), 'The zeppelin lands on Thursday.\n');
  await rm(join(notes, 'lunch.txt'));
  const again = await ok('add', './notes');
  assert.match(again, '1 added, 1 changed, 1 removed; 2 chunks');
  assert.match(await ok('search', 'fanfares', 'notes', '-k', '1'), 'Keys change at noon');
  assert.not.match(await ok('search', 'pizza on Fridays', '--mode', 'keyword'), 'Soup');

  assert.is(await ok('grep', '-i', 'ZEPPELIN'), 'notes/new.md:1:The zeppelin lands on Thursday.\n');
  assert.is((await trove('grep', 'no such words')).code, 1);
  assert.is(await ok('ls', 'notes'), 'new.md\nops/\n');
  assert.is(await ok('ls'), 'notes\n');
  assert.is(await ok('tree', 'notes'), 'notes\n├── new.md\n└── ops/\n    └── tokens.md\n');
  assert.is(await ok('head', '-n', '1', 'notes/ops/tokens.md'), '# Rotation\n');
  assert.is(await ok('tail', '-n', '1', 'notes/new.md'), 'The zeppelin lands on Thursday.\n');
  await ok('export', 'notes/ops/tokens.md', '-o', 'copy.md');
  assert.match(await readFile(join(notes, '..', 'copy.md'), 'utf8'), 'fanfares');
  assert.match(await ok('cat', 'notes/new.md', '--meta'), 'text/markdown');

  assert.match(await ok('status'), /notes +file +active +2 +2 .*just now/);
  assert.match(await ok('probe', 'notes'), /reachable +yes/);
  assert.match(await ok('estimate', 'notes'), /objects +2 /);
  assert.match(await ok('inspect', 'notes'), /root uri +notes\n/);
  const jobs = JSON.parse(await ok('job', 'list', '--json'));
  assert.equal(
    jobs.map((job: { status: string }) => job.status),
    ['succeeded', 'succeeded'],
  );
  assert.match(await ok('job', 'show', jobs[0].id), /status +succeeded/);
  assert.is((await trove('job', 'cancel', jobs[0].id)).code, 1);

  const directory = await trove('cat', 'notes');
  assert.is(directory.code, 1);
  assert.match(directory.stderr, /hint: /);
  assert.is(JSON.parse((await trove('cat', 'notes', '--json')).stderr).code, 'is_directory');
  assert.match((await trove('remove', 'notes/ops')).stderr, 'error: ');
  assert.is(await ok('remove', 'notes'), 'Removed notes\n');
  assert.is((await trove('remove', 'notes')).code, 1);
  assert.is(await readFile(join(notes, 'new.md'), 'utf8'), 'The zeppelin lands on Thursday.\n');

  assert.match(await ok('serve', 'stop'), 'Stopped process');
  assert.is((await trove('serve', 'status')).code, 1);
  assert.match((await trove('status')).stderr, 'trove serve start');
});

test('starts one server at a time, and again after a crash', async () => {
  await using here = await place();
  const { ok, trove, home } = here;
  await Promise.all([ok('serve', 'start'), ok('serve', 'start')]);
  const first = await pidOf(home);
  assert.match(await ok('serve', 'start'), `Already running: process ${first}`);
  await ok('add', 'notes');

  assert.is((await trove('serve', 'restart', '--bind', 'nonsense')).code, 2);
  assert.is((await trove('serve', 'start', '--bind', 'nonsense')).code, 2);
  assert.is(await pidOf(home), first);
  assert.match(await ok('serve', 'restart'), 'Running: process');
  const second = await pidOf(home);
  assert.is.not(second, first);
  assert.match(await ok('serve', 'status'), `process ${second}, answers`);
  assert.match(await ok('search', 'tokens'), 'tokens.md');

  process.kill(second, 'SIGKILL');
  await waitUntil(async () => (await trove('serve', 'status')).code === 1, 'it is seen to be gone');
  assert.match(await ok('serve', 'start'), 'Running: process');
  assert.match(await ok('search', 'tokens'), 'tokens.md');
  const { stopped, killed } = JSON.parse(await ok('serve', 'stop', '--json'));
  assert.equal({ stopped, killed }, { stopped: true, killed: false });
  assert.match(await ok('serve', 'logs', '-n', '500'), 'listening');
  assert.is(await ok('serve', 'stop'), 'Not running\n');
});

test('takes neither settings nor code from the folder of the caller', async () => {
  await using here = await place();
  const { ok, home, notes } = here;
  const folder = join(notes, '..');
  const evil = join(folder, 'node_modules', 'evil');
  await mkdir(evil, { recursive: true });
  await writeFile(join(evil, 'package.json'), '{"name":"evil","type":"module","exports":"./x.js"}');
  await writeFile(
    join(evil, 'x.js'),
    `import { writeFileSync } from 'node:fs';
    writeFileSync(${JSON.stringify(join(folder, 'imported'))}, '');`,
  );
  const stray = 'auth_token = "-"\n[embedding]\nprovider = "evil"\n[plugins]\nevil = "evil"\n';
  await writeFile(join(folder, 'server.toml'), stray);
  await ok('serve', 'start');
  assert.match(await ok('serve', 'logs'), 'Configuration: built-in defaults');
  await ok('serve', 'stop');
  await writeFile(
    join(home, 'server.toml'),
    'namespace = "of-the-home"\n[plugins]\nnone = "none"\n',
  );
  await ok('serve', 'start');
  assert.match(await ok('serve', 'logs'), `Configuration: ${join(home, 'server.toml')}\n`);
  assert.not.ok(existsSync(join(folder, 'imported')));
});

test('keeps the server running if a restart has invalid settings', async () => {
  await using here = await place();
  await using busy = await listen(() => undefined);
  const { ok, trove, home, notes } = here;
  await ok('serve', 'start');
  const pid = await pidOf(home);
  const bad = join(notes, 'bad.toml');
  await writeFile(bad, '[workr]\nconcurrency = 1\n');
  const refusals = async (): Promise<[string[], RegExp][]> => [
    [
      ['--config', bad],
      /the server was not stopped: section \[workr\]: is not known.*\nhint: Write `worker`/,
    ],
    [['--config', join(notes, 'none.toml')], /none\.toml .* does not exist/],
    [['--bind', busy.host], /the port is in use/],
  ];
  for (const [args, why] of await refusals()) {
    const { code, stderr } = await trove('serve', 'restart', ...args);
    assert.is(code, 1);
    assert.match(stderr, why);
    assert.match(await ok('serve', 'status'), `process ${pid}, answers`);
  }
  await writeFile(join(home, 'server.toml'), '[embedding]\nprovider = "nobody-wrote-it"\n');
  assert.match(
    (await trove('serve', 'restart')).stderr,
    'the server was not stopped: embedder nobody-',
  );
  assert.match(await ok('serve', 'status'), `process ${pid}, answers`);

  await writeFile(join(home, 'server.toml'), 'namespace = "other"\n');
  assert.match(await ok('serve', 'restart'), 'Running: process');
  assert.is.not(await pidOf(home), pid);
});

test('explains why a server cannot start', async () => {
  await using here = await place();
  const { trove, endpoint, home } = here;
  const other = createServer((_request, response) => response.writeHead(404).end('not trove'));
  other.listen(Number(new URL(endpoint).port), '127.0.0.1');
  await once(other, 'listening');
  const taken = await trove('serve', 'start');
  other.closeAllConnections();
  other.close();
  assert.is(taken.code, 1);
  assert.match(taken.stderr, /in use|EADDRINUSE/);
  await writeFile(join(home, 'server.toml'), '[workr]\n');
  const invalid = await trove('serve', 'start');
  assert.is(invalid.code, 1);
  assert.match(invalid.stderr, 'workr');
  assert.match(invalid.stderr, 'trove serve logs');
});

test.run();
