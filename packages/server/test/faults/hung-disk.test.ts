// test-timeout: 600
// test-slow
// test-waits
import { mkdir, writeFile } from 'node:fs/promises';
import type { StatusResponse } from 'trove';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { waitUntil } from '@trove/test-support/waiting.js';
import { testUnless } from '@trove/test-support/skips.js';
import { add, call, jobEnd } from './support/api.js';
import { canHang, hungDisk, type HungDisk } from './support/hung-disk.js';
import { token } from './support/server-process.js';
import { World } from './support/world.js';

/* Paths on an unresponsive disk, in everything that callers may name. */

const test = suite('an unresponsive disk');
let world: World;
let disk: HungDisk | null;

const onHungDisk = testUnless(canHang() ? null : 'no disk can be mounted here', test);

test.before.each(async () => {
  world = await World.make();
  disk = hungDisk(world.path('disk'));
});
test.after.each(async () => {
  disk?.pull();
  await world.remove();
});

interface Answer {
  readonly status: number;
  readonly code: string | undefined;
}

async function post(url: string, path: string, body: unknown): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { code } = (await response.json()) as { code?: string };
  return { status: response.status, code };
}

async function installSecretive(): Promise<void> {
  const folder = world.path('node_modules', 'trove-connector-secretive');
  await mkdir(folder, { recursive: true });
  const manifest = { name: 'trove-connector-secretive', type: 'module', exports: './index.js' };
  await writeFile(`${folder}/package.json`, JSON.stringify(manifest));
  await writeFile(
    `${folder}/index.js`,
    `export default {
      kind: 'connector',
      apiVersion: 1,
      keys: ['secretive'],
      configSchema: { type: 'object', properties: { token: { type: 'string', writeOnly: true } } },
      create: () => ({
        async *list() { yield { path: 'a', size: 1, modifiedAt: null, fingerprint: null }; },
        read: async () => ({ bytes: Buffer.from('a') }),
      }),
    };`,
  );
}

onHungDisk('does not delay other requests', async () => {
  await installSecretive();
  await mkdir(world.path('notes'));
  await writeFile(world.path('notes', 'a.md'), 'A lantern');
  await writeFile(world.path('key'), 'secret');
  const server = world.run();
  const url = await server.url();
  assert.is((await jobEnd(url, await add(url, world.path('notes')))).status, 'succeeded');

  const on = (name: string): string => `${disk?.path}/${name}`;
  const secretive = (path: string) => {
    const config = { token: `file:${path}` };
    return post(url, '/v1/connectors/probe', { target: 'secretive://x', config });
  };
  const asked = Array.from({ length: 20 }, (_, n) => [
    secretive(on('key')),
    post(url, '/v1/connectors/probe', { target: on(`folder-${n}`) }),
    post(url, '/v1/add', { target: on(`folder-${n}`) }),
  ]).flat();
  asked.push(post(url, '/v1/connectors/estimate', { target: on('folder') }));
  const well = await secretive(world.path('key'));
  assert.is(well.status, 200, well.code);
  for (let n = 0; n < 5; n++) {
    const { results } = await call<{ results: unknown[] }>(url, '/v1/search?q=lantern');
    assert.is(results.length, 1);
    await call(url, `/v1/ls?path=${world.path('notes')}`);
    assert.is((await jobEnd(url, await add(url, world.path('notes')))).status, 'succeeded');
  }
  const answers = await Promise.all(asked);
  const codes = [...new Set(answers.map(({ status, code }) => `${status} ${code}`))].sort();
  assert.equal(codes, ['400 credential_error', '504 timed_out']);

  const asking = post(url, '/v1/connectors/probe', { target: on('folder') }).catch(() => {});
  const { signal } = await server.end('SIGTERM');
  assert.match(server.stderr, 'a disk does not respond');
  assert.is(signal, 'SIGKILL');
  await asking;
});

onHungDisk('with another source does not fail an add, which omits overlaps', async () => {
  disk?.pull();
  for (const name of ['notes', 'disk']) await mkdir(world.path(name), { recursive: true });
  await writeFile(world.path('notes', 'a.md'), 'A lantern');
  const server = world.run();
  const url = await server.url();
  await jobEnd(url, await add(url, world.path('disk')));
  disk = hungDisk(world.path('disk'));
  assert.is((await jobEnd(url, await add(url, world.path('notes')))).status, 'succeeded');
  await server.end('SIGKILL');
});

onHungDisk('with a cache delays `/readyz` by at most a second and is reported', async () => {
  disk?.pull();
  const cache = world.path('disk', 'cache');
  await mkdir(cache, { recursive: true });
  const server = world.run('home', { TROVE_ARTIFACT_CACHE_PATH: cache });
  const url = await server.url();
  disk = hungDisk(world.path('disk'));
  const from = performance.now();
  const { status } = await call<{ status: string }>(url, '/readyz');
  assert.is(status, 'ready');
  assert.ok(performance.now() - from < 3000);
  await waitUntil(async () => {
    const { disk_space: disks } = await call<StatusResponse>(url, '/v1/status');
    return disks.some(({ state }) => state === 'unknown');
  }, 'the status shows the disk that does not answer');
  await server.end('SIGKILL');
});

test.run();
