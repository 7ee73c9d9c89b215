// test-timeout: 300
// test-waits
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { IndexGroup } from '@trove/core/index';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dimension, neverAborted, row } from '@trove/test-support/index-rows.js';
import { waitUntil } from '@trove/test-support/waiting.js';
import { withFolder } from '@trove/test-support/with-folder.js';
import { withCollection } from './world.js';

const test = suite('space');

const groupCount = 60;
const groupSize = 100;

function bytesOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false }))
    .reduce((sum, stats) => sum + (stats?.size ?? 0), 0);
}

/** A group whose rows share no text or vector with other rows. */
function groupOf(at: number, round: number): IndexGroup {
  const rows = Array.from({ length: groupSize }, (_, ordinal) => {
    const seed = (round * groupCount + at) * groupSize + ordinal;
    const words = Array.from({ length: 100 }, (__, i) => Math.imul(seed + i, 2654435761) >>> 0);
    const vector = Float32Array.from({ length: dimension }, (__, i) => Math.sin(seed * 31 + i));
    const terms = words.map((word) => word.toString(36)).join(' ');
    return row(`g${at}-${ordinal}`, `g${at}`, { ordinal, content: terms, terms, vector });
  });
  return { group: `g${at}`, rows };
}

const all = (round: number): IndexGroup[] =>
  Array.from({ length: groupCount }, (_, at) => groupOf(at, round));

const textOf = (groups: readonly IndexGroup[]): number =>
  groups
    .flatMap(({ rows }) => rows)
    .reduce((sum, { content, terms }) => sum + content.length + terms.length, 0);

/** Counts the folders of vector indices, including the one in use. */
function vectorIndices(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('auxiliary.idx'),
  ).length;
}

function shrinks(folder: string, maxBytes: number): Promise<void> {
  return waitUntil(() => bytesOf(folder) <= maxBytes, `at most ${maxBytes} bytes`);
}

test('frees the space of overwritten and removed rows within a minute', () =>
  withFolder((one) =>
    withFolder(async (other) => {
      const changed = withCollection(one, async (collection) => {
        await collection.replace(all(0), neverAborted);
        await collection.optimize();
        for (let round = 1; round < 4; round++) {
          await collection.replace(all(round).slice(0, groupCount / 3), neverAborted);
          await collection.optimize();
        }
        const maxBytes = 1.25 * textOf(all(0));
        assert.ok(
          bytesOf(one) > 1.5 * maxBytes,
          `${bytesOf(one) / maxBytes}: the former versions still exist`,
        );
        await shrinks(one, maxBytes);
        await waitUntil(() => vectorIndices(one) === 1, 'only one vector index to remain');
        const vector = Float32Array.from({ length: dimension }, (_, i) => Math.sin(i));
        const { dense } = await collection.search({
          vector,
          candidates: 10,
          pairWeight: 0,
          ...neverAborted,
        });
        assert.ok(dense.length >= 10, `${dense.length} of 10`);
        assert.is(await collection.count(), groupCount * groupSize);
      });
      const removed = withCollection(other, async (collection) => {
        await collection.replace(all(0), neverAborted);
        await collection.optimize();
        const before = bytesOf(other);
        await collection.removeScope('scope');
        await shrinks(other, before / 20);
      });
      await Promise.all([changed, removed]);
    }),
  ));

test('frees the space of few former versions after a restart', () =>
  withFolder(async (folder) => {
    // Too few rows for indices that would need completion.
    const some = (round: number): IndexGroup[] =>
      all(round).map(({ group, rows }) => ({ group, rows: rows.slice(0, 15) }));
    const maxBytes = 2 * textOf(some(0));
    await withCollection(folder, async (collection) => {
      for (let round = 0; round < 3; round++) await collection.replace(some(round), neverAborted);
    });
    assert.ok(bytesOf(folder) > 1.2 * maxBytes, 'the former versions still exist');
    await withCollection(folder, async (collection) => {
      await shrinks(folder, maxBytes);
      assert.is(await collection.count(), groupCount * 15);
    });
  }));

test.run();
