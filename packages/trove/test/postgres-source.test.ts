import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isTroveError } from '@trove/core';
import type { MemoryEmbedder } from '@trove/testkit';
import { Client } from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startPostgres } from '@trove/test-support/postgres.js';
import type { Trove } from '../src/index.js';
import { embeddedInMemory } from './support/embedded-in-memory.js';

interface Context {
  embedder: MemoryEmbedder;
  root: string;
  url: URL;
  target: string;
  trove: Trove;
}

const test = suite<Context>('tables of a PostgreSQL database');
const server = await startPostgres();
const variable = 'TROVE_TEST_SHOP_PASSWORD';
const address = 'TROVE_TEST_SHOP_ADDRESS';
const config = { password: `env:${variable}` };

test.after(async () => {
  delete process.env[variable];
  delete process.env[address];
  await server.stop();
});
test.before.each(async (context) => {
  context.root = await mkdtemp(join(tmpdir(), 'trove-postgres-source-'));
  context.url = new URL(await server.createDatabase());
  process.env[variable] = context.url.password;
  context.target = `postgres://${context.url.username}@${context.url.host}${context.url.pathname}`;
  Object.assign(context, await embeddedInMemory(context.root));
});
test.after.each(async ({ root, trove }) => {
  await trove.close();
  await rm(root, { recursive: true, force: true });
});

test('finds, opens and greps rows, and indexes only changed rows again', async (context) => {
  const { target, trove, embedder } = context;
  await write(
    context,
    `create table birds(id int primary key, name text, note text);
     insert into birds values (1, 'Polly', 'The parrot likes walnuts.'),
       (2, 'Olga', 'An owl that hunts at night.'), (3, 'Rex', 'A raven with 100% wit.');
     create view quiet as select id, name from birds where id = 2`,
  );
  await sync(context);
  const rows = `${target}/public/birds/rows.jsonl`;
  const [hit] = (await trove.search({ q: 'owl hunting at night' })).results;
  assert.equal([hit?.source, hit?.locator, hit?.metadata.title], [rows, { id: 2 }, 'Olga']);
  const locator = JSON.stringify(hit?.locator);
  assert.match((await trove.cat({ path: rows, locator })).content, '"name":"Olga"');
  const { results } = await trove.grep({ pattern: '100%', path: target });
  assert.equal(
    results.map((each) => [each.source, each.locator, each.via]),
    [[rows, { id: 3 }, 'pushdown']],
  );

  embedder.batches.length = 0;
  await write(
    context,
    `update birds set note = 'It moved to the lighthouse.' where id = 1; delete from birds where id = 3;
     insert into birds values (9, 'Hugo', 'A heron in the reeds.')`,
  );
  await sync(context);
  assert.is(embedder.batches.flat().length, 2);
  const first = async (q: string): Promise<unknown> =>
    (await trove.search({ q, mode: 'keyword' })).results[0]?.locator;
  assert.equal(await first('lighthouse'), { id: 1 });
  assert.is(await first('raven'), undefined);
});

test('reads only changed rows of a table with a change time, and drops deleted rows', async (context) => {
  const { target, trove, embedder } = context;
  await write(
    context,
    `create table birds(id int primary key, note text, updated_at timestamptz);
     insert into birds select i, 'sparrow number ' || i, '2024-01-01'::timestamptz + i * interval '1 hour'
       from generate_series(1, 300) i; update birds set note = 'A raven with wit.' where id = 40`,
  );
  await sync(context);
  embedder.batches.length = 0;
  await write(
    context,
    `update birds set note = 'It moved to the lighthouse.', updated_at = '2024-02-01' where id = 7;
     delete from birds where id = 40; insert into birds values (999, 'A heron in the reeds.', '2024-02-02')`,
  );
  await sync(context);
  assert.is(embedder.batches.flat().length, 2);
  const path = `${target}/public/birds/rows.jsonl`;
  const first = async (q: string): Promise<unknown> =>
    (await trove.search({ q, mode: 'keyword', path })).results[0]?.locator;
  assert.equal(await first('lighthouse'), { id: 7 });
  assert.equal(await first('heron reeds'), { id: 999 });
  assert.is(await first('raven'), undefined);
});

test('connects with an address in the configuration and never shows it', async (context) => {
  const { trove, url } = context;
  await write(
    context,
    "create table birds(id int primary key, note text); insert into birds values (1, 'A raven.')",
  );
  process.env[address] = url.href;
  const named = { target: 'postgres://prod-db', config: { dsn: `env:${address}` } };
  const { job_id: id } = await trove.add({ ...named, process: true });
  assert.is((await trove.job(id)).status, 'succeeded');
  const [hit] = (await trove.search({ q: 'raven', path: named.target })).results;
  assert.is(hit?.source, 'postgres://prod-db/public/birds/rows.jsonl');
  const shown = JSON.stringify(await trove.inspect({ target: named.target }));
  assert.match(shown, `env:${address}`);
  assert.not.match(shown, url.password);
  process.env[address] = url.href.replace(url.password, 'not-the-password');
  const other = { ...named, target: 'postgres://other-db' };
  const error = await trove.add(other).catch((thrown: unknown) => thrown);
  assert.ok(isTroveError(error));
  assert.match(error.detail, /refused the password/);
  assert.not.match(JSON.stringify(error), 'not-the-password');
});

test('a wrong password is refused with advice and never shown', async (context) => {
  const { target, trove } = context;
  process.env[variable] = 'not-the-password';
  const error = await trove.add({ target, config }).catch((thrown: unknown) => thrown);
  assert.ok(isTroveError(error) && error.code === 'connector_unhealthy');
  assert.match(error.detail, /refused the password\. Check the user/);
  assert.not.match(JSON.stringify(error), 'not-the-password');
  assert.equal((await trove.status()).connectors, []);
  const inTarget = await trove
    .add({ target: target.replace('@', ':secret@') })
    .catch((thrown: unknown) => thrown);
  assert.ok(isTroveError(inTarget) && inTarget.code === 'validation_error');
});

async function sync({ trove, target }: Context): Promise<void> {
  const { job_id: id } = await trove.add({ target, config, process: true });
  const job = await trove.job(id);
  assert.is(job.status, 'succeeded', JSON.stringify(job));
}

async function write({ url }: Context, sql: string): Promise<void> {
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

test.run();
