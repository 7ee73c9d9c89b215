import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startPgvector, type TestPgvector } from '../../../scripts/test-support/pgvector.js';
import { groupOf, live, withCollection } from './world.js';

const test = suite('several processes');
const writer = fileURLToPath(new URL('fixtures/writer.ts', import.meta.url));
const ROUNDS = 8;
let server: TestPgvector;

test.before(async () => {
  server = await startPgvector();
});

test.before.each(() => server.empty());

test.after(() => server.stop());

interface Writer {
  readonly child: ChildProcessWithoutNullStreams;
  readonly closed: Promise<unknown[]>;
  readonly output: { rounds: number; errors: string };
}

function start(name: string, rounds: number): Writer {
  const turns = server.takesTurns ? 'turns' : '';
  const args = ['--import', 'tsx', writer, server.url, turns, name, `${rounds}`];
  const child = spawn(process.execPath, args);
  const output = { rounds: 0, errors: '' };
  child.stdout.on('data', (data: Buffer) => {
    output.rounds += data.toString().split('\n').length - 1;
  });
  child.stderr.on('data', (data: Buffer) => {
    output.errors += data.toString();
  });
  return { child, closed: once(child, 'close'), output };
}

const writerOf = (id: string): string => id.split(':')[1] ?? '';

test('three that open an empty database and write at once lose nothing and mix nothing', async () => {
  const names = ['a', 'b', 'c'];
  const writers = names.map((name) => start(name, ROUNDS));
  const exits = await Promise.all(writers.map(({ closed }) => closed));
  for (const { output } of writers) assert.is(output.errors, '');
  assert.equal(
    exits,
    names.map(() => [0, null]),
  );
  await withCollection(server, async (collection) => {
    for (const name of names) {
      const expected = groupOf(`own ${name}`, ((ROUNDS - 1) % 4) + 1, `${name}${ROUNDS - 1}`);
      assert.equal(
        (await collection.rows(`own ${name}`)).map(({ id }) => id),
        expected.rows.map(({ id }) => id),
      );
    }
    const shared = await collection.rows('shared');
    const wrote = new Set(shared.map(({ id }) => writerOf(id)));
    assert.is(wrote.size, 1, `rows of ${[...wrote].join()}`);
    assert.is(await collection.count(), 4 * names.length + shared.length);
  });
});

test('one that is killed at any moment leaves whole groups, and a replay heals', async () => {
  for (let kill = 1; kill <= 3; kill++) {
    const { child, closed, output } = start('a', 1000);
    child.stdout.on('data', () => {
      if (output.rounds >= kill * 2) child.kill('SIGKILL');
    });
    await closed;
    await withCollection(server, async (collection) => {
      for (const group of ['own a', 'shared']) {
        const rows = await collection.rows(group);
        const round = Number(writerOf(rows[0]?.id ?? '').slice(1));
        assert.is(new Set(rows.map(({ id }) => writerOf(id))).size, 1, 'rows of one replacement');
        assert.is(rows.length, (round % 4) + 1, 'all rows of it');
      }
      await collection.replace([groupOf('own a', 2, 'replayed')], live);
      assert.is((await collection.rows('own a')).length, 2);
    });
  }
});

test.run();
