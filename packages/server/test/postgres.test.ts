import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startPostgres, type TestPostgres } from '@trove/test-support/postgres.js';
import { waitUntil } from '@trove/test-support/waiting.js';
import { Command } from './support/command.js';
import { startProxy } from './support/proxy.js';

/* Simulates several machines: API replicas and workers that share only a database and an index. */

const test = suite('servers on PostgreSQL');
const token = 'shared-by-all';
const sources = 6;
const filesEach = 5;
let root: string;
let postgres: TestPostgres | undefined;
const started: Command[] = [];

test.before(async () => {
  root = await mkdtemp(join(tmpdir(), 'trove-replicas-'));
  postgres = await startPostgres();
});
test.after(async () => {
  await Promise.all(started.map((command) => command.stop('SIGKILL')));
  await postgres?.stop();
  await rm(root, { recursive: true, force: true });
});

async function ask(url: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  assert.is(response.status, 200, JSON.stringify(answer));
  return Array.isArray(answer) ? { items: answer } : (answer as Record<string, unknown>);
}

test('two replicas queue, two workers index, and both replicas find everything', async () => {
  const dsn = (await postgres?.createDatabase()) ?? '';
  const start = (name: string, args: readonly string[]): Command => {
    const env = {
      TROVE_HOME: join(root, name),
      TROVE_METADATA_BACKEND: 'postgres',
      TROVE_METADATA_DSN: dsn,
      TROVE_INDEX_URI: join(root, 'index'),
      TROVE_API_TOKEN: token,
    };
    const command = new Command(args, { cwd: root, env });
    started.push(command);
    return command;
  };
  const apis = [
    start('api-1', ['api', '--bind', '127.0.0.1:0']),
    start('api-2', ['api', '--bind', '127.0.0.1:0']),
  ];
  const [first = '', second = ''] = await Promise.all(apis.map((api) => api.url()));

  for (let n = 0; n < sources; n++) {
    const folder = join(root, `docs-${n}`);
    await mkdir(folder);
    for (let file = 0; file < filesEach; file++) {
      await writeFile(join(folder, `${file}.md`), `The animal number ${n} of file ${file}.\n`);
    }
    await ask(n % 2 === 0 ? first : second, '/v1/add', { target: folder });
  }
  assert.equal((await ask(second, '/v1/status'))['jobs'], { queued: sources });

  const workers = [
    start('worker-1', ['worker']),
    start('worker-2', ['worker', '--concurrency', '1']),
  ];
  const succeeded = async (): Promise<number | undefined> => {
    const { jobs } = await ask(first, '/v1/status');
    return (jobs as Record<string, number>)['succeeded'];
  };
  await waitUntil(async () => (await succeeded()) === sources, 'all jobs succeed');
  for (const url of [first, second]) {
    const { results } = await ask(url, `/v1/search?q=animal&top_k=1000`);
    const found = (results as { source: string }[]).map(({ source }) => source);
    assert.is(found.length, sources * filesEach);
    assert.is(new Set(found).size, sources * filesEach);
  }
  for (const command of [...workers, ...apis]) {
    const { code, stderr } = await command.stop();
    assert.is(code, 0, stderr);
    assert.not.match(stderr, dsn);
  }
});

test('a server is not ready while its database does not respond', async () => {
  const dsn = new URL((await postgres?.createDatabase()) ?? '');
  const proxy = await startProxy(Number(dsn.port));
  dsn.port = String(proxy.port);
  const env = {
    TROVE_HOME: join(root, 'silent'),
    TROVE_METADATA_BACKEND: 'postgres',
    TROVE_METADATA_DSN: dsn.href,
    TROVE_API_TOKEN: token,
  };
  const api = new Command(['api', '--bind', '127.0.0.1:0'], { cwd: root, env });
  started.push(api);
  const url = await api.url();
  // Without the token.
  const readiness = async () => {
    const response = await fetch(`${url}/readyz`);
    return { status: response.status, text: await response.text() };
  };
  assert.is((await readiness()).text, '{"status":"ready","warnings":[]}');
  proxy.hold();
  let silent = await readiness();
  while (silent.status === 200) silent = await readiness();
  assert.is(silent.status, 503);
  assert.is(
    silent.text,
    JSON.stringify({
      code: 'not_ready',
      detail: 'No answer from the metadata database',
      suggestions: ['The detail names the component. The log has the reason.'],
    }),
  );
  assert.equal(
    new Set(
      (await Promise.all(Array.from({ length: 100 }, readiness))).map(({ status }) => status),
    ),
    new Set([503]),
  );
  assert.is((await fetch(`${url}/healthz`)).status, 200);
  const headers = { authorization: `Bearer ${token}` };
  assert.match(await (await fetch(`${url}/metrics`, { headers })).text(), 'trove_storage_up 0\n');
  proxy.release();
  while ((await readiness()).status !== 200);
  await proxy.close();
  const broken = await fetch(`${url}/v1/status`, { headers });
  assert.is(broken.status, 503);
  const { code: reason } = (await broken.json()) as { code: string };
  assert.is(reason, 'storage_unavailable');
  const { code, stderr } = await api.stop();
  assert.is(code, 0, stderr);
  assert.is(stderr.match(/not ready/g)?.length, 1);
});

test.run();
