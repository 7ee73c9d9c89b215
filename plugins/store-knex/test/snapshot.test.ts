// test-timeout: 300
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@trove/core';
import type { MetadataStore } from '@trove/core/store';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { startPostgres, type TestPostgres } from '@trove/test-support/postgres.js';
import { codeOf } from '@trove/test-support/rejection.js';
import plugins from '../src/index.js';
import { openStore, type Backend } from './support.js';

const test = suite<{ folder: string }>('snapshots');
const [metadataStore] = plugins;
const oddText =
  'nul\0 \u2028 \u2029 \ud800 "quoted" \\u0000 \r\n {"table":"trove_jobs"} é \u{1f469}';
const leaseMs = 600_000;
/** Longer than the pieces in which a snapshot is read. */
const trainedBytes = new Uint8Array(300_000).fill(7);
let postgres: TestPostgres;

test.before(async () => {
  postgres = await startPostgres();
});
test.after(() => postgres.stop());
test.before.each(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'trove-snapshot-'));
});
test.after.each(({ folder }) => rm(folder, { recursive: true, force: true }));

/** Names a new database. */
type NewBackend = (folder: string, name: string) => Promise<Backend>;

const newSqlite: NewBackend = async (folder, name) => ({
  backend: 'sqlite',
  config: { path: join(folder, `${name}.db`) },
});
const newPostgres: NewBackend = async () => ({
  backend: 'postgres',
  config: { dsn: await postgres.createDatabase() },
});

function newJob(id: string, connectorId: string) {
  return { id, connectorId, opKind: 'sync', trigger: 'manual', full: false, since: null } as const;
}

async function fill(store: MetadataStore): Promise<void> {
  for (const id of ['c1', 'c2', 'c3'])
    await store.sources.register({
      id,
      rootUri: `memory://${id}/${oddText}`,
      type: 'memory',
      config: { [oddText]: [oddText, 1.5, null] },
    });
  await store.jobs.create(newJob('j1', 'c1'));
  await store.jobs.claim('dead', leaseMs);
  await store.alerts.raise({ key: oddText, code: 'c', since: 1 }, [
    { id: 'a1', channel: 'webhook', body: { oddText } },
  ]);
  await store.training.replace('lexical/1', { id: 't1', state: trainedBytes }, null);
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The parts that a snapshot must keep. */
async function contentOf(store: MetadataStore): Promise<unknown> {
  const jobs = await store.jobs.list({ limit: 10, offset: 0 });
  const trained = await store.training.get('lexical/1');
  return {
    id: await store.id(),
    sources: await store.sources.list(),
    jobs: jobs.map(({ id, target, status }) => ({ id, target, status })),
    incidents: await store.alerts.incidents(),
    trained: trained === null ? null : { ...trained, state: hashOf(trained.state) },
  };
}

function restore(
  { backend, config }: Backend,
  file: string,
  keepTokens = false,
): Promise<readonly string[]> {
  const { restore: restoreSnapshot } = metadataStore;
  if (restoreSnapshot === undefined) throw new Error('the plugin restores no snapshots');
  return restoreSnapshot({ backend, config, logger: silentLogger }, file, { keepTokens });
}

for (const [name, newBackend] of [
  ['SQLite', newSqlite],
  ['PostgreSQL', newPostgres],
] as const) {
  test(`on ${name}, a restored database equals the one of the snapshot`, async ({ folder }) => {
    const file = join(folder, 'snapshot');
    const store = await openStore(await newBackend(folder, 'one'));
    await fill(store);
    const content = await contentOf(store);
    await store.snapshot?.(file);
    await store.sources.delete('c2');
    assert.is(typeof (await codeOf(store.snapshot?.(file) ?? Promise.resolve())), 'string');
    await store.close();

    const backend = await newBackend(folder, 'two');
    await restore(backend, file);
    const restored = await openStore(backend);
    assert.equal(await contentOf(restored), content);
    assert.is((await restored.jobs.claim('alive', leaseMs))?.id, 'j1');
    assert.equal((await restored.alerts.claim('w', ['webhook'], leaseMs))?.body, { oddText });
    await restored.sources.register({ id: 'c4', rootUri: 'm://c4', type: 'm', config: null });
    await restored.jobs.create(newJob('j4', 'c4'));
    await restored.close();
    assert.is(await codeOf(restore(backend, file)), 'storage_unavailable');
  });

  test(`on ${name}, a restore revokes the tokens unless it keeps them`, async ({ folder }) => {
    const file = join(folder, 'snapshot');
    const original = await newBackend(folder, 'one');
    const store = await openStore(original);
    const token = { hash: 'h', rights: 'read', paths: null, lifetimeMs: null } as const;
    for (const own of ['ci', 'ada']) await store.tokens.create({ ...token, id: own, name: own });
    await store.tokens.rotate('ci', { id: 'ci2', hash: 'h' }, leaseMs);
    await store.snapshot?.(file);
    await store.close();

    const [revoking, keeping] = [
      await newBackend(folder, 'two'),
      await newBackend(folder, 'three'),
    ];
    assert.equal(await restore(revoking, file), ['ada', 'ci']);
    const revoked = await openStore(revoking);
    assert.equal(await revoked.tokens.list(), []);
    await revoked.close();
    assert.equal(await restore(keeping, file, true), []);
    const kept = await openStore(keeping);
    assert.is((await kept.tokens.list()).length, 3);
    await kept.close();
  });
}

test('on PostgreSQL, a snapshot that is not whole leaves the database empty', async ({
  folder,
}) => {
  const file = join(folder, 'snapshot');
  const store = await openStore(await newPostgres(folder, 'one'));
  await fill(store);
  const content = await contentOf(store);
  await store.snapshot?.(file);
  await store.close();
  const whole = await readFile(file, 'utf8');
  const backend = await newPostgres(folder, 'two');
  const newer = whole.replace(/"schema":\d+/, '"schema":9999');
  for (const damaged of [whole.slice(0, -10), '', `${whole}{"table":"trove_other"}\n`, newer]) {
    await writeFile(file, damaged);
    assert.is(await codeOf(restore(backend, file)), 'storage_unavailable');
  }
  await writeFile(file, whole);
  await restore(backend, file);
  const restored = await openStore(backend);
  assert.equal(await contentOf(restored), content);
  await restored.close();
});

test.run();
