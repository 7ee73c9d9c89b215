import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import {
  assertEndedWell,
  assertNothingLostOrMixed,
  assertWholeAndHealed,
  killAfter,
  startWriter,
  type WriterProcess,
} from '@trove/test-support/index-writers.js';
import { startPgvector, type TestPgvector } from '@trove/test-support/pgvector.js';
import { withCollection } from './world.js';

const test = suite('several processes');
const writer = fileURLToPath(new URL('fixtures/writer.ts', import.meta.url));
const roundCount = 8;
let server: TestPgvector;

test.before(async () => {
  server = await startPgvector();
});

test.before.each(() => server.empty());

test.after(() => server.stop());

function start(name: string, rounds: number): WriterProcess {
  const turns = server.isSerial ? 'turns' : '';
  return startWriter(writer, [server.url, turns, name, `${rounds}`]);
}

test('loses and mixes nothing when three processes open and write at once', async () => {
  const names = ['a', 'b', 'c'];
  await assertEndedWell(names.map((name) => start(name, roundCount)));
  await withCollection(server, (collection) =>
    assertNothingLostOrMixed(collection, names, roundCount),
  );
});

test('leaves whole groups when a writer is killed, and a replay repairs', async () => {
  for (let kill = 1; kill <= 3; kill++) {
    await killAfter(start('a', 1000), kill * 2);
    await withCollection(server, (collection) => assertWholeAndHealed(collection, 'a'));
  }
});

test.run();
