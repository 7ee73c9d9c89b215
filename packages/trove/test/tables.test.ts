import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isTroveError } from '@trove/core';
import type { MemoryEmbedder } from '@trove/testkit';
import sqlite3 from 'sqlite3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Trove } from '../src/index.js';
import { embeddedInMemory } from './support/embedded-in-memory.js';

interface Context {
  embedder: MemoryEmbedder;
  root: string;
  file: string;
  target: string;
  trove: Trove;
}

const test = suite<Context>('tables of a database');

test.before.each(async (context) => {
  context.root = await mkdtemp(join(tmpdir(), 'trove-tables-'));
  context.file = join(context.root, 'shop.db');
  context.target = `sqlite://local${context.file}`;
  Object.assign(context, await embeddedInMemory(context.root));
});
test.after.each(async ({ root, trove }) => {
  await trove.close();
  await rm(root, { recursive: true, force: true });
});

const parrots = `create table birds(id integer primary key, name text, note text);
  insert into birds values (1, 'Polly', 'The parrot likes walnuts.'),
    (2, 'Olga', 'An owl that hunts at night.'), (3, 'Rex', 'A raven with 100% wit.')`;

test('finds, reads, greps and lists rows', async (context) => {
  const { file, target, trove } = context;
  await write(file, `${parrots}; create view quiet as select id, name from birds where id = 2`);
  const job = await sync(context);
  assert.is(job.status, 'succeeded');

  const rows = `${target}/main/birds/rows.jsonl`;
  const [hit] = (await trove.search({ q: 'owl hunting at night' })).results;
  assert.equal([hit?.source, hit?.locator, hit?.metadata.title], [rows, { id: 2 }, 'Olga']);
  const locator = JSON.stringify(hit?.locator);
  assert.match((await trove.cat({ path: rows, locator })).content, '"name":"Olga"');
  assert.match((await trove.head({ path: rows, n: 1 })).content, /^\{"id":1,.*\}\n$/);
  assert.match((await trove.tail({ path: rows, n: 1 })).content, /^\{"id":3,.*\}\n?$/);

  const { entries } = await trove.ls({ path: `${target}/main` });
  assert.equal(entries.map(({ name }) => name).sort(), ['birds', 'quiet']);
  const { results } = await trove.grep({ pattern: '100%', path: target });
  assert.equal(
    results.map((each) => [each.source, each.locator, each.via]),
    [[rows, { id: 3 }, 'pushdown']],
  );
  const folded = await trove.grep({ pattern: 'POLLY', ignore_case: true, path: rows });
  assert.equal(
    folded.results.map((each) => each.locator),
    [{ id: 1 }],
  );
});

test('indexes only changed rows and drops deleted ones', async (context) => {
  const { file, trove, embedder } = context;
  await write(file, parrots);
  await sync(context);
  embedder.batches.length = 0;
  await write(
    file,
    `update birds set note = 'It moved to the lighthouse.' where id = 1;
     delete from birds where id = 2; insert into birds values (9, 'Hugo', 'A heron in the reeds.')`,
  );
  await sync(context);
  const embedded = embedder.batches.flat();
  assert.is(embedded.length, 2, embedded.join('\n---\n'));
  const first = async (q: string): Promise<unknown> =>
    (await trove.search({ q, mode: 'keyword' })).results[0]?.locator;
  assert.equal(await first('lighthouse'), { id: 1 });
  assert.equal(await first('heron reeds'), { id: 9 });
  assert.is(await first('walnuts'), undefined);
  assert.is(await first('owl'), undefined);
  const again = await sync(context);
  assert.is(again.unchanged, 2);
});

test('an unreachable database is not registered', async ({ root, trove }) => {
  const target = `sqlite://${join(root, 'nowhere.db')}`;
  const error = await trove.add({ target }).catch((thrown: unknown) => thrown);
  assert.ok(isTroveError(error) && error.code === 'connector_unhealthy');
  assert.match(error.detail, /nowhere\.db does not exist\. Check the path/);
  assert.equal((await trove.status()).connectors, []);
});

test('refuses the databases of Trove itself', async ({ root, trove }) => {
  const target = `sqlite://${join(root, 'home', 'metadata.db')}`;
  const error = await trove.add({ target }).catch((thrown: unknown) => thrown);
  assert.ok(isTroveError(error) && error.code === 'path_not_allowed');
});

async function sync({ target, trove }: Context) {
  const { job_id: id } = await trove.add({ target, process: true });
  return trove.job(id);
}

async function write(file: string, sql: string): Promise<void> {
  const database = new sqlite3.Database(file);
  await new Promise<void>((resolve, reject) => {
    database.exec(sql, (error) => (error === null ? resolve() : reject(error)));
  });
  await new Promise((resolve) => {
    database.close(resolve);
  });
}

test.run();
