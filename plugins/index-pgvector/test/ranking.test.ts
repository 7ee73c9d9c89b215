import type { IndexRow } from '@trove/core/index';
import { MemoryVectorIndex } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startPgvector, type TestPgvector } from '@trove/test-support/pgvector.js';
import { neverAborted, row, spec } from '@trove/test-support/index-rows.js';
import { randomFrom } from '@trove/test-support/random.js';
import { withCollection } from './world.js';

const test = suite('ranking');
let server: TestPgvector;

test.before(async () => {
  server = await startPgvector();
});

test.after(() => server.stop());

const rowCount = 600;
const wordCount = 80;

/** Rows of words. Words with higher numbers are rarer. */
function rows(random: () => number, round: number, count: number): IndexRow[] {
  const words = (length: number): string =>
    Array.from({ length }, () => `w${Math.floor(wordCount * random() ** 3)}`).join(' ');
  return Array.from({ length: count }, (_, at) =>
    row(`${round}-${at}`, `group ${Math.floor(random() * rowCount)}-${at % 7}`, {
      terms: words(Math.floor(random() * 30)),
      pairs: words(Math.floor(random() * 10)),
      fields: { odd: at % 2 === 1 },
    }),
  );
}

function grouped(all: readonly IndexRow[]): Map<string, IndexRow[]> {
  const groups = new Map<string, IndexRow[]>();
  for (const each of all) groups.set(each.group, [...(groups.get(each.group) ?? []), each]);
  return groups;
}

test('computes exact BM25 after replacements, removals, merges and filters', async () => {
  await server.empty();
  const memory = await new MemoryVectorIndex().collection(spec);
  await withCollection(server, async (collection) => {
    const random = randomFrom(7);
    const compare = async (when: string): Promise<void> => {
      for (let i = 0; i < 8; i++) {
        const word = (): string => `w${Math.floor(wordCount * random())}`;
        const query = {
          sparse: {
            terms: [word(), word(), word(), ...(i % 3 === 0 ? ['w1', 'w1'] : [])],
            pairs: [word()],
          },
          pairWeight: 0.2,
          candidates: 50,
          signal: neverAborted.signal,
          ...(i % 2 === 0
            ? {}
            : ({
                filter: { op: 'compare', field: 'odd', comparison: '=', value: true },
              } as const)),
        };
        const [found, expected] = await Promise.all([
          collection.search(query),
          memory.search(query),
        ]);
        const ids = await collection.identify(found.sparse.map(({ key }) => key));
        assert.equal(
          ids.map((each) => each?.id ?? 'gone').sort(),
          expected.sparse.map(({ key }) => key).sort(),
          when,
        );
        for (const [at, { score }] of found.sparse.entries()) {
          const off = Math.abs(score - (expected.sparse[at]?.score ?? NaN));
          assert.ok(off < 1e-4, `${when}: ${score}, not ${expected.sparse[at]?.score}`);
        }
      }
    };
    for (let round = 0; round < 6; round++) {
      const groups = grouped(rows(random, round, rowCount / 3));
      const replaced = [...groups].map(([group, members]) => ({ group, rows: members }));
      for (const each of [collection, memory]) await each.replace(replaced, neverAborted);
      await compare(`after replacement ${round}`);
      if (round % 2 === 1) await collection.optimize();
      await compare(`after maintenance ${round}`);
    }
    const all = new Set<string>();
    await memory.groups('scope', (some) => some.forEach((_, group) => all.add(group)));
    const emptied = [...all].filter((_, at) => at % 3 > 0);
    for (const each of [collection, memory]) {
      await each.replace(
        emptied.map((group) => ({ group, rows: [] })),
        neverAborted,
      );
    }
    await compare('after removals');
    await collection.optimize();
    await compare('without what was removed');
    assert.is(await collection.count(), await memory.count());
  });
});

test.run();
