// test-timeout: 600
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startPostgres } from '@trove/test-support/postgres.js';
import { waitUntil } from '@trove/test-support/waiting.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Command } from './support/command.js';

interface Context {
  root: string;
  started: Command[];
  /** Called at the end. */
  ends: (() => Promise<void>)[];
}

const test = suite<Context>('backups of servers');
const token = 'the-token-of-the-test';
const files = 300;

test.before.each(async (context) => {
  context.root = await mkdtemp(join(tmpdir(), 'trove-backup-'));
  context.started = [];
  context.ends = [];
  const docs = join(context.root, 'docs');
  await mkdir(docs);
  for (let at = 0; at < files; at++)
    await writeFile(join(docs, `${at}.md`), `The lighthouse of island${at} is tall.\n`);
});
test.after.each(async ({ root, started, ends }) => {
  for (const command of started) await command.stop('SIGKILL');
  for (const end of ends) await end();
  await rm(root, { recursive: true, force: true });
});

type Variables = Record<string, string>;

function start(
  { root, started }: Context,
  home: string,
  args: readonly string[],
  more: Variables = {},
): Command {
  const env = { HOME: root, TROVE_HOME: join(root, home), TROVE_API_TOKEN: token, ...more };
  const command = new Command(args, { cwd: root, env });
  started.push(command);
  return command;
}

const serve = (context: Context, home: string, more?: Variables): Command =>
  start(context, home, ['run', '--bind', '127.0.0.1:0'], more);

type Answer = Readonly<Record<string, unknown>>;

async function call(url: string, path: string, body?: object): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const request = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(url + path, { headers, ...request });
  return (await response.json()) as Answer;
}

async function backUp(url: string, to: string): Promise<void> {
  await call(url, '/v1/backup', { to });
  let state: Answer;
  do state = await call(url, '/v1/backup');
  while (state['status'] === 'running');
  assert.is(state['status'], 'succeeded', JSON.stringify(state));
}

async function assertAnswers(url: string): Promise<void> {
  const { results } = await call(url, '/v1/search?q=island77');
  const [hit] = results as { source: string }[];
  assert.match(hit?.source ?? '', '/docs/77.md');
  const { connectors, jobs } = await call(url, '/v1/status');
  const [source] = connectors as { object_count: number }[];
  assert.is(source?.object_count, files);
  assert.equal(jobs, { succeeded: 1 });
}

test('a PostgreSQL deployment answers at once after a restore', async (context) => {
  const { root } = context;
  const postgres = await startPostgres();
  context.ends.push(() => postgres.stop());
  const settings = (dsn: string): Variables => ({
    TROVE_METADATA_BACKEND: 'postgres',
    TROVE_METADATA_DSN: dsn,
  });
  const first = serve(context, 'first', settings(await postgres.createDatabase()));
  const url = await first.url();
  await call(url, '/v1/add', { target: join(root, 'docs'), process: true });
  for (const name of ['ada', 'ci']) await call(url, '/v1/tokens', { name });
  await backUp(url, join(root, 'backup'));
  await first.stop();
  const into = settings(await postgres.createDatabase());
  const restored = start(context, 'second', ['restore', join(root, 'backup')], into);
  const { code, stdout, stderr } = await restored.finished;
  assert.is(code, 0, stderr);
  assert.match(stdout, /Restored the backup of .* into .*second: \d+ files/);
  assert.match(
    stdout,
    'Start its servers with the same TROVE_METADATA_BACKEND, TROVE_METADATA_DSN.\n',
  );
  assert.match(stdout, 'Revoked the tokens of the backup: ada, ci\n');
  const second = serve(context, 'second', into);
  await assertAnswers(await second.url());
  const { job_id: id } = await call(await second.url(), '/v1/add', {
    target: join(root, 'docs'),
    process: true,
  });
  assert.equal(await call(await second.url(), '/v1/tokens'), { tokens: [] });
  const job = await call(await second.url(), `/v1/jobs/${String(id)}`);
  assert.equal([job['status'], job['unchanged']], ['succeeded', files]);
  await second.stop();
  const again = start(context, 'third', ['restore', join(root, 'backup')], into);
  const refused = await again.finished;
  assert.is(refused.code, 1);
  assert.match(refused.stderr, 'The database is not empty');
});

test('kills during backups and restores leave nothing half done', async (context) => {
  const { root } = context;
  let server = serve(context, 'home');
  await call(await server.url(), '/v1/add', { target: join(root, 'docs'), process: true });
  for (const pauseMs of [5, 30, 80]) {
    const to = join(root, `backup-${pauseMs}`);
    const url = await server.url();
    await call(url, '/v1/backup', { to });
    await delay(pauseMs);
    await server.stop('SIGKILL');
    const isWhole = (await readdir(to).catch((): string[] => [])).includes('backup.json');
    const { code, stderr } = await start(context, `of-${pauseMs}`, ['restore', to]).finished;
    assert.is(code, isWhole ? 0 : 1, stderr);
    if (!isWhole) assert.match(stderr, 'has no complete backup');
    server = serve(context, 'home');
    await assertAnswers(await server.url());
  }
  const from = join(root, 'backup');
  await backUp(await server.url(), from);
  await server.stop();
  const left = await readdir(join(root, 'home', 'index.lance'));
  assert.equal(
    left.filter((name) => name.startsWith('snapshot-')),
    [],
  );
  for (const pauseMs of [0, 20, 60]) {
    const restoring = start(context, 'restored', ['restore', from]);
    await waitUntil(
      async () =>
        restoring.process.exitCode !== null ||
        (await readdir(root)).some((name) => name.startsWith('restored')),
      'the restore has begun',
    );
    await delay(pauseMs);
    await restoring.stop('SIGKILL');
    const home = await readdir(join(root, 'restored')).catch(() => []);
    if (home.length > 0) break;
  }
  if (!(await readdir(root)).includes('restored')) {
    const { code, stderr } = await start(context, 'restored', ['restore', from]).finished;
    assert.is(code, 0, stderr);
  }
  const refused = await start(context, 'restored', ['restore', from]).finished;
  assert.match(refused.stderr, /is not empty/);
  const restored = serve(context, 'restored');
  await assertAnswers(await restored.url());
  assert.is(await readFile(join(root, 'restored', 'server.token'), 'utf8').catch(() => null), null);
});

test.run();
