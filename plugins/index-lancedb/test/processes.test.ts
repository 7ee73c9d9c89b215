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
import { withFolder } from '@trove/test-support/with-folder.js';
import { withCollection } from './world.js';

const test = suite('several processes');
const writer = fileURLToPath(new URL('fixtures/writer.ts', import.meta.url));
const roundCount = 8;

function start(folder: string, name: string, rounds: number): WriterProcess {
  return startWriter(writer, [folder, name, `${rounds}`]);
}

test('loses and mixes nothing when three processes write at once', () =>
  withFolder(async (folder) => {
    await withCollection(folder, async () => {});
    const names = ['a', 'b', 'c'];
    await assertEndedWell(names.map((name) => start(folder, name, roundCount)));
    await withCollection(folder, (collection) =>
      assertNothingLostOrMixed(collection, names, roundCount),
    );
  }));

test('leaves whole groups when a writer is killed, and a replay repairs', () =>
  withFolder(async (folder) => {
    await withCollection(folder, async () => {});
    for (let kill = 1; kill <= 4; kill++) {
      await killAfter(start(folder, 'a', 1000), kill * 2);
      await withCollection(folder, (collection) => assertWholeAndHealed(collection, 'a'));
    }
  }));

test.run();
