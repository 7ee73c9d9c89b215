// test-timeout: 600
// test-slow
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import sqlite from 'sqlite3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startPostgres, type TestPostgres } from '@trove/test-support/postgres.js';
import { seededRandom } from '@trove/test-support/random.js';
import { add, addWhenFree, call, jobEnd } from './support/api.js';
import { Cluster } from './support/cluster.js';
import { Corpus } from './support/corpus.js';
import { token, type ServerProcess } from './support/server-process.js';
import { assertSame, type Snapshot } from './support/snapshot.js';
import { queue, snapshotOfHome, snapshotOfPostgres, World } from './support/world.js';

/* The documented ways to back up, taken from busy servers. */

const files = 80;
/** So little time that a job is not finished in it. */
const momentMs = 10;
const sent = 'file://sent';
const sentFile = `${sent}/otter.md`;
const otter = 'The otter was sent.\n';

const test = suite('restoring a backup');
let world: World;
let postgres: TestPostgres | undefined;
let docs: Corpus;

test.before(async () => {
  world = await World.make();
  postgres = await startPostgres();
  docs = new Corpus(world.path('docs'), seededRandom('restoring a backup'));
  await docs.add(files);
});
test.after(async () => {
  await world.remove();
  await postgres?.stop();
});

test('a disk snapshot of an indexing server reaches the same index', async () => {
  const first = world.run('home');
  await upload(await first.url());
  await first.end('SIGTERM');
  const home = world.path('home');
  const queued = (): Promise<string> => queue(home, docs.root, { full: true });
  const progress = (id: string): Promise<Progress | undefined> =>
    inFile(world.path('home', 'metadata.db'), progressOf(id));
  let id = await queued();
  const server = world.run('home');
  for (; !(await stoppedInPart(server, () => progress(id))); id = await addAgain(server)) continue;
  await copy(home, world.path('restored'));
  resume(server);
  const url = await server.url();
  assert.is((await jobEnd(url, id)).status, 'succeeded');
  await server.end('SIGTERM');
  const expected = await snapshotOfHome(home);

  const restored = world.run('restored');
  assert.is((await jobEnd(await restored.url(), id)).status, 'succeeded');
  assert.is(await contentOf(await restored.url(), sentFile), otter);
  await restored.end('SIGTERM');
  assertSame(await snapshotOfHome(world.path('restored')), expected, 'from the snapshot');
});

test('the database and the uploads suffice, and a sync rebuilds the index', async () => {
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
    assert.is((await jobEnd(url, await addWhenFree(url, target))).status, 'succeeded');
  }
  await restored.end('SIGTERM');
  const found = await snapshotOfHome(world.path('least'));
  assertSame(withoutInodes(found), withoutInodes(expected), 'from the least');
});

test('a PostgreSQL dump of indexing workers reaches the same index', async () => {
  assert.ok(postgres);
  const [dsn, restoredDsn] = [await postgres.createDatabase(), await postgres.createDatabase()];
  const { left: expected, id } = await dumped(dsn, restoredDsn);
  const cluster = new Cluster(world, restoredDsn, 'second');
  await cluster.startApi();
  cluster.startWorker();
  assert.is((await jobEnd(cluster.url, id)).status, 'succeeded');
  // Rows indexed before the dump are in the remaining index.
  assert.is(
    (await jobEnd(cluster.url, await addWhenFree(cluster.url, docs.root))).status,
    'succeeded',
  );
  await cluster.stop();
  assertSame(await cluster.snapshot(), expected, 'from the dump');
});

/** Indexes with one database, and restores its content midway in another. */
async function dumped(dsn: string, into: string): Promise<{ left: Snapshot; id: string }> {
  const cluster = new Cluster(world, dsn, 'first');
  await cluster.startApi();
  const worker = cluster.startWorker();
  await worker.logged('"msg":"working"');
  let id = '';
  do {
    stop(worker);
    id = await add(cluster.url, docs.root, { full: true });
  } while (!(await stoppedInPart(worker, async () => (await cluster.query(progressOf(id)))[0])));
  const dump = await dumpOf(dsn);
  resume(worker);
  assert.is((await jobEnd(cluster.url, id)).status, 'succeeded');
  await cluster.stop();
  // An empty schema of this version.
  await snapshotOfPostgres(into, world.path('first', 'index'));
  await restoreInto(into, dump);
  return { left: await cluster.snapshot(), id };
}

interface Progress {
  readonly status?: unknown;
  readonly done?: unknown;
}

function progressOf(id: string): string {
  return `select status, added + changed + unchanged as done from trove_jobs where id = '${id}'`;
}

/**
 * Lets a process run in short slices until a job has done some but not all of its objects, then stops it.
 * Returns false if the job ended unobserved.
 */
async function stoppedInPart(
  server: ServerProcess,
  progress: () => Promise<Progress | undefined>,
): Promise<boolean> {
  for (;;) {
    resume(server);
    await delay(momentMs);
    stop(server);
    const { status, done } = (await progress()) ?? {};
    if (status === 'running' && Number(done) > 0) return true;
    if (status === 'queued' || status === 'running') continue;
    resume(server);
    return false;
  }
}

async function addAgain(server: ServerProcess): Promise<string> {
  return add(await server.url(), docs.root, { full: true });
}

function stop(server: ServerProcess): void {
  for (const pid of processesOf(server)) process.kill(pid, 'SIGSTOP');
}

function resume(server: ServerProcess): void {
  for (const pid of processesOf(server)) process.kill(pid, 'SIGCONT');
}

/** The process and its descendants. */
function processesOf({ process: { pid = 0 } }: ServerProcess): number[] {
  const path = `/proc/${pid}/task/${pid}/children`;
  const children = existsSync(path) ? readFileSync(path, 'utf8').trim().split(/\s+/) : [];
  return [pid, ...children.filter(Boolean).map(Number)];
}

function inFile(path: string, sql: string): Promise<Progress | undefined> {
  return new Promise((resolve, reject) => {
    const database = new sqlite.Database(path, sqlite.OPEN_READONLY);
    database.get<Progress>(sql, (error, row) => {
      database.close(() => {
        if (error === null) resolve(row);
        else if (heldByStopped(error)) resolve({ status: 'running' });
        else reject(error);
      });
    });
  });
}

/** A process stopped while it changes the write-ahead log keeps its locks. */
function heldByStopped(error: Error): boolean {
  return /^SQLITE_(BUSY|PROTOCOL)/.test(error.message);
}

/** A copied file has another inode. */
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

/** Reads the rows of every table in one transaction, like pg_dump. */
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
