import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { waitUntil } from '@trove/test-support/waiting.js';
import {
  makeWorld,
  removeWorld,
  startReal,
  type Running,
  type World,
} from './support/real-server.js';
import { call, envelope, type Answer } from './support/server.js';

/* What a token with paths learns about the schedules, failures and moves of sources that it does not see as a whole. */

const test = suite('schedules, failures and moves of hidden sources');
const hidden = /walrus/i;
const shop = 'shop://walrus';

let world: World;
let server: Running;

test.before(async () => {
  world = await makeWorld();
  server = await startReal(world);
  await mkdir(at('walrus/tusk'), { recursive: true });
  await writeFile(at('walrus/tusk/note.md'), '# Tusks\n\nThe tusk of the harbour.\n');
  const schedule = { every: '30d' };
  await server.engine.add({ target: world.docs, schedule, process: true });
  await server.engine.add({ target: at('walrus/tusk'), schedule, process: true });
  const config = { key: 'of-the-shop' };
  await server.engine.add({ target: shop, config, schedule, process: true });
});

test.after(async () => {
  await server.close();
  await removeWorld(world);
});

function at(path: string): string {
  return join(world.root, path);
}

/** Creates a token that sees some paths. Returns a function that sends requests with it. */
async function holderOf(...paths: string[]): Promise<(path: string) => Promise<Answer>> {
  const name = `holder-${Math.random().toString(36).slice(2)}`;
  const { token } = await server.engine.createToken({ name, rights: 'sync', paths });
  return (path) => call(server.host, path, { headers: { authorization: `Bearer ${token}` } });
}

async function rowsOf(get: (path: string) => Promise<Answer>): Promise<Record<string, unknown>[]> {
  const { body } = await get('/v1/status');
  return (body as { connectors: Record<string, unknown>[] }).connectors;
}

function ls(path: string): string {
  return `/v1/ls?${new URLSearchParams({ path }).toString()}`;
}

test('a folder above sources lists only the way to visible ones', async () => {
  const get = await holderOf(join(world.docs, 'deep'));
  for (const [path, name] of [
    [world.root, 'docs'],
    [world.docs, 'deep'],
    ['file://local', world.root.split('/')[1]],
    ['file://', world.root.split('/')[1]],
  ] as const) {
    const { body } = await get(ls(path));
    const { entries } = body as { entries: { name: string }[] };
    assert.equal(
      entries.map((entry) => entry.name),
      [name],
      path,
    );
  }
  const every = (await call(server.host, ls(world.root))).body as { entries: { name: string }[] };
  assert.equal(
    every.entries.map(({ name }) => name),
    ['docs', 'walrus'],
  );
  const unknown = await get(ls(at('nothing')));
  for (const path of [at('walrus'), at('walrus/tusk'), 'shop://', shop]) {
    const answer = await get(ls(path));
    assert.is(answer.status, 404, path);
    const detail = envelope(answer).detail.replace(/ \S+$/, '');
    assert.is(detail, envelope(unknown).detail.replace(/ \S+$/, ''), path);
  }
});

test('a visible source has its schedule, and no size that depends on others', async () => {
  const [row, ...others] = await rowsOf(await holderOf(world.docs));
  assert.is(others.length, 0);
  assert.ok(typeof row?.['next_sync_at'] === 'string');
  assert.is(row['disk_bytes'], null);
});

test('a visible part has neither the schedule nor the failures of its source', async () => {
  const whole = await holderOf(world.docs);
  const part = await holderOf(join(world.docs, 'deep'));
  await rename(world.docs, at('away'));
  try {
    await server.engine.add({ target: world.docs, process: true }).catch(() => undefined);
    await waitUntil(async () => (await rowsOf(whole))[0]?.['last_error'] !== null, 'the failure');
    const [row] = await rowsOf(part);
    const inspected = await part(
      `/v1/connectors/inspect?target=${encodeURIComponent(join(world.docs, 'deep'))}`,
    );
    for (const view of [row, inspected.body as Record<string, unknown>]) {
      const names = ['error', 'detail', 'next_sync_at', 'failing_since', 'last_error'];
      assert.equal(
        names.map((name) => view?.[name]),
        names.map(() => null),
      );
    }
  } finally {
    await rename(at('away'), world.docs);
    await server.engine.add({ target: world.docs, process: true });
  }
});

test('a source appears when it moves into a visible folder, and disappears when it leaves', async () => {
  const get = await holderOf(at('open'));
  await mkdir(at('open'));
  const moved = async (from: string, to: string): Promise<void> => {
    await rename(at(from), at(to));
    const { job_id: id } = await server.engine.move({ target: at(from), to: at(to) });
    const ended = server.engine.waitForJob(id);
    let isOver = false;
    void ended.finally(() => (isOver = true));
    do {
      const urls = [
        '/v1/status',
        '/v1/jobs',
        '/v1/search?q=tusk',
        '/v1/grep?pattern=tusk',
        ls(at('')),
      ];
      for (const url of urls)
        assert.not.match(JSON.stringify((await get(url)).body), hidden, `${url} ${from} ${to}`);
    } while (!isOver);
    await ended;
  };
  const sources = async (): Promise<unknown[]> => {
    const { results } = (await get('/v1/search?q=tusk')).body as { results: { source: string }[] };
    return results.map(({ source }) => source);
  };
  assert.equal(await sources(), []);
  await moved('walrus/tusk', 'open/tusk');
  assert.equal(await sources(), [`file://local${at('open/tusk/note.md')}`]);
  assert.is((await rowsOf(get)).length, 1);
  await moved('open/tusk', 'walrus/tusk');
  assert.equal(await sources(), []);
  assert.equal(await rowsOf(get), []);
  assert.equal((await get('/v1/jobs')).body, []);
});

test.run();
