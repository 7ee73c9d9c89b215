// test-timeout: 600
// test-slow
import { Client } from 'pg';
import { suite } from 'uvu';
import { startOwnPostgres } from '@trove/test-support/postgres.js';
import { add, hasEnded, jobEnd, jobOf } from './support/api.js';
import { assertSame } from './support/snapshot.js';
import { Reference, snapshotOfHome, World } from './support/world.js';

const rows = 3000;
const variable = 'TROVE_TEST_KILLED_PASSWORD';
/** Rows of one box are put together. */
const objects = [{ match: '/public/parts', group_by: 'box', text_fields: ['body'] }];
const config = { password: `env:${variable}`, objects };

const test = suite('a database whose connections are killed');
const world = await World.make();
const postgres = await startOwnPostgres();
test.after(async () => {
  delete process.env[variable];
  await world.remove();
  await postgres.stop();
});

const changes = [
  `create table notes(id int primary key, body text);
   insert into notes select i, 'note ' || i || ' of ' || md5(i::text) from generate_series(1, ${rows}) i;
   create table parts(id int primary key, box int, body text);
   insert into parts select i, i % 100, 'part ' || i || ' of ' || md5(i::text) from generate_series(1, ${rows / 3}) i;
   create view short as select body from notes where id % 10 = 0`,
  `update notes set body = 'changed ' || body where id % 7 = 0;
   update parts set body = 'changed ' || body where id % 11 = 0; update parts set box = 7 where id % 13 = 0`,
  `delete from notes where id % 5 = 0; insert into notes select i, 'new ' || i from generate_series(5000, 5500) i;
   delete from parts where box % 9 = 0; insert into parts select i, 200, 'new ' || i from generate_series(5000, 5050) i`,
];
const more = `update notes set body = 'again ' || body where id % 3 = 0`;

test('leave the index of an undisturbed sync, also if the server is killed', async () => {
  const url = new URL(await postgres.createDatabase());
  process.env[variable] = url.password;
  const target = `postgres://${url.username}@${url.host}${url.pathname}`;
  const database = new Client({ connectionString: url.href });
  await database.connect();
  database.on('error', () => undefined);
  const reference = new Reference(world.path('reference'));
  const env = { [variable]: url.password };
  let server = world.run('home', env);
  const waiting = [...changes];
  for (let at = 0; waiting.length > 0; at++) {
    await database.query(waiting.shift() ?? '');
    const { left } = await reference.sync([target], { config });
    let id = await add(await server.url(), target, { config });
    // On a busy machine a job may end unobserved. Then another one is used.
    if ((await killed(database, await server.url(), id)) === 0) waiting.push(more);
    await server.end('SIGKILL');
    server = world.run('home', env);
    // A read that failed repeatedly is done at the next sync.
    for (let job = await jobEnd(await server.url(), id); job.status !== 'succeeded';) {
      id = await add(await server.url(), target, { config });
      job = await jobEnd(await server.url(), id);
    }
    assertSame(await snapshotOfHome(world.path('home')), left, `change ${at}`);
  }
  await server.end('SIGTERM');
  await database.end();
});

/** Kills connections of the source until the job has ended, at most three of them. */
async function killed(database: Client, url: string, id: string): Promise<number> {
  let count = 0;
  while (count < 3) {
    const { rows: ended } = await database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'trove' and datname = current_database()`,
    );
    count += ended.length;
    if (hasEnded(await jobOf(url, id))) break;
  }
  return count;
}

test.run();
