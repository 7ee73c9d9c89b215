// test-timeout: 600
import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import sqlite from 'sqlite3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startPostgres, type TestPostgres } from '../../../../scripts/test-support/postgres.js';
import { add, call, hasEnded, jobEnd, jobOf } from './support/api.js';
import { Cluster } from './support/cluster.js';
import { Corpus } from './support/corpus.js';
import { seededRandom } from '../../../../scripts/test-support/random.js';
import { token, type ServerProcess } from './support/server-process.js';
import { assertSame, type Snapshot } from './support/snapshot.js';
import { snapshotOfHome, snapshotOfPostgres, World } from './support/world.js';

/* The ways to back up that the documentation shows, taken from servers that are at work. */

const files = 80;
const sent = 'file://sent';
const sentFile = `${sent}/otter.md`;
const otter = 'The otter was sent.\n';

const test = suite('a backup that is restored');
let world: World;
let postgres: TestPostgres | undefined;
let docs: Corpus;

test.before(async () => {
  world = await World.make();
  postgres = await startPostgres();
  docs = new Corpus(world.path('docs'), seededRandom('a backup that is restored'));
  await docs.add(files);
});
test.after(async () => {
  await world.remove();
  await postgres?.stop();
});

test('a snapshot of the disk under a server that indexes becomes what that server becomes', async () => {
  const server = world.run('home');
  const url = await server.url();
  await upload(url);
  const id = await addedInPart(url);
  await whileFrozen(server, () => copy(world.path('home'), world.path('restored')));
  assert.is((await jobEnd(url, id)).status, 'succeeded');
  await server.end('SIGTERM');
  const expected = await snapshotOfHome(world.path('home'));

  const restored = world.run('restored');
  assert.is((await jobEnd(await restored.url(), id)).status, 'succeeded');
  assert.is(await contentOf(await restored.url(), sentFile), otter);
  await restored.end('SIGTERM');
  assertSame(await snapshotOfHome(world.path('restored')), expected, 'from the snapshot');
});

test('the database and the sent files alone are enough: a sync makes the index anew', async () => {
  const home = world.path('home');
  const server = world.run('home');
  await server.url();
  await mkdir(world.path('least'));
  await vacuumInto(world.path('home', 'metadata.db'), world.path('least', 'metadata.db'));
  await copy(world.path('home', 'uploads'), world.path('least', 'uploads'));
  await server.end('SIGTERM');
  const expected = await snapshotOfHome(home);

  const restored = world.run('least');
  const url = await restored.url();
  assert.is(await contentOf(url, sentFile), otter, 'readable before anything is found');
  for (const target of [docs.root, sent]) {
    assert.is((await jobEnd(url, await add(url, target))).status, 'succeeded');
  }
  await restored.end('SIGTERM');
  const found = await snapshotOfHome(world.path('least'));
  assertSame(withoutInodes(found), withoutInodes(expected), 'from the least');
});

test('a dump of PostgreSQL under workers that index becomes what that database becomes', async () => {
  assert.ok(postgres);
  const [dsn, restoredDsn] = [await postgres.createDatabase(), await postgres.createDatabase()];
  const { left: expected, id } = await dumped(dsn, restoredDsn);
  const cluster = new Cluster(world, restoredDsn, 'second');
  await cluster.startApi();
  cluster.startWorker();
  assert.is((await jobEnd(cluster.url, id)).status, 'succeeded');
  // What had been indexed before the dump is in the index that was left behind.
  assert.is((await jobEnd(cluster.url, await add(cluster.url, docs.root))).status, 'succeeded');
  await cluster.stop();
  assertSame(await cluster.snapshot(), expected, 'from the dump');
});

/** Indexes with one database, and restores what it holds in the middle of that in another. */
async function dumped(dsn: string, into: string): Promise<{ left: Snapshot; id: string }> {
  const cluster = new Cluster(world, dsn, 'first');
  await cluster.startApi();
  cluster.startWorker();
  const id = await addedInPart(cluster.url);
  const dump = await dumpOf(dsn);
  assert.is((await jobEnd(cluster.url, id)).status, 'succeeded');
  await cluster.stop();
  // An empty schema, as this version makes it.
  await snapshotOfPostgres(into, world.path('first', 'index'));
  await restoreInto(into, dump);
  return { left: await cluster.snapshot(), id };
}

/** A job that has done some of its objects, and not all: on a busy machine it may end unseen, and is done again then. */
async function addedInPart(url: string): Promise<string> {
  for (;;) {
    const id = await add(url, docs.root, { full: true });
    for (let job = await jobOf(url, id); !hasEnded(job); job = await jobOf(url, id)) {
      if ((job.succeeded_objects ?? 0) > 0) return id;
      await delay(5);
    }
  }
}

/** What a file system's snapshot sees: everything at one moment. */
async function whileFrozen(server: ServerProcess, work: () => Promise<void>): Promise<void> {
  const pid = server.process.pid ?? 0;
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const all = [pid, ...children.trim().split(/\s+/).filter(Boolean).map(Number)];
  for (const each of all) process.kill(each, 'SIGSTOP');
  try {
    await work();
  } finally {
    for (const each of all) process.kill(each, 'SIGCONT');
  }
}

/** A copied file is another one to its disk. */
function withoutInodes({ rows, objects }: Snapshot): Snapshot {
  return { rows, objects: objects.map(({ revision: _, identity: __, ...rest }) => rest) };
}

function copy(from: string, to: string): Promise<void> {
  return cp(from, to, { recursive: true, preserveTimestamps: true });
}

function vacuumInto(path: string, to: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const database = new sqlite.Database(path);
    database.run('vacuum into ?', [to], (error) => {
      database.close(() => (error === null ? resolve() : reject(error)));
    });
  });
}

async function upload(url: string): Promise<void> {
  const folder = world.path('sent');
  await mkdir(folder);
  await writeFile(world.path('sent', 'otter.md'), otter);
  const response = await fetch(`${url}/v1/upload?name=sent`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-tar' },
    body: execFileSync('tar', ['-C', folder, '-cf', '-', '.']),
  });
  assert.is(response.status, 200, await response.text());
}

async function contentOf(url: string, path: string): Promise<string> {
  const query = new URLSearchParams({ path });
  return (await call<{ content: string }>(url, `/v1/cat?${query.toString()}`)).content;
}

type Dump = ReadonlyMap<string, string>;

async function onDatabase<T>(dsn: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: dsn });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The rows of every table, as one transaction sees them: what pg_dump does. */
function dumpOf(dsn: string): Promise<Dump> {
  return onDatabase(dsn, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    const tables = await client.query<{ name: string }>(
      "select tablename as name from pg_tables where tablename like 'trove_%'",
    );
    const dump = new Map<string, string>();
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ all: string }>(
        `select coalesce(json_agg(t), '[]')::text as all from ${name} t`,
      );
      dump.set(name, rows[0]?.all ?? '[]');
    }
    return dump;
  });
}

function restoreInto(dsn: string, dump: Dump): Promise<void> {
  return onDatabase(dsn, async (client) => {
    await client.query('set session_replication_role = replica');
    for (const [name, rows] of dump) {
      const known = await client.query(`select from pg_tables where tablename = '${name}'`);
      if (known.rowCount === 0) continue;
      await client.query(
        `insert into ${name} select * from json_populate_recordset(null::${name}, $1)
          on conflict do nothing`,
        [rows],
      );
    }
    const columns = await client.query<{ name: string; key: string }>(
      `select table_name as name, column_name as key from information_schema.columns
        where is_identity = 'YES' and table_name like 'trove_%'`,
    );
    for (const { name, key } of columns.rows) {
      await client.query(
        `select setval(pg_get_serial_sequence('${name}', '${key}'), max(${key})) from ${name}`,
      );
    }
  });
}

test.run();
