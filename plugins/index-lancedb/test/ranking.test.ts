import type { Collection, IndexRow } from '@trove/core/index';
import { MemoryVectorIndex } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { neverAborted, row, spec } from '@trove/test-support/index-rows.js';
import { withFolder } from '@trove/test-support/with-folder.js';
import { withCollection } from './world.js';

const test = suite('ranking');
const rowCount = 1200;

/** Texts of different lengths with common and rare words. */
function texts(): IndexRow[] {
  return Array.from({ length: rowCount }, (_, at) => {
    const length = 5 + ((at * 31) % 60);
    const words = Array.from({ length }, (_w, i) => {
      const dice = Math.imul(at * 977 + i * 7919 + 13, 2_654_435_761) >>> 0;
      return `w${Math.floor(300 ** (dice / 2 ** 32))}`;
    });
    const pairs = words.slice(1).map((word, i) => `${words[i]}_${word}`);
    return row(`r${at}`, `g${at % 100}`, {
      ordinal: at,
      terms: words.join(' '),
      pairs: pairs.join(' '),
    });
  });
}

async function fill(collection: Collection): Promise<void> {
  const rows = texts();
  const groups = Array.from({ length: 100 }, (_, at) => ({
    group: `g${at}`,
    rows: rows.filter(({ group }) => group === `g${at}`),
  }));
  await collection.replace(groups, neverAborted);
}

test('scores rows by BM25 (k1 1.2, b 0.75) plus weighted pairs', () =>
  withFolder((folder) =>
    withCollection(folder, async (collection) => {
      const reference = await new MemoryVectorIndex().collection(spec);
      await Promise.all([fill(collection), fill(reference)]);
      await collection.optimize();
      const together = texts()[17]?.terms.split(' ').slice(2, 5) ?? [];
      for (const terms of [['w1'], ['w5', 'w40'], ['w2', 'w3', 'w250', 'unknown'], together]) {
        const pairs = terms.slice(1).map((word, i) => `${terms[i]}_${word}`);
        const query = {
          sparse: { terms, pairs },
          pairWeight: 0.2,
          candidates: 20,
          signal: neverAborted.signal,
        };
        const [found, expected] = await Promise.all([
          collection.search(query),
          reference.search(query),
        ]);
        const scores = found.sparse.map(({ score }) => score);
        const wanted = expected.sparse.map(({ score }) => score);
        assert.is(scores.length, wanted.length);
        scores.forEach((score, at) => {
          const off = Math.abs(score - (wanted[at] ?? NaN));
          assert.ok(off < 0.01, `${terms.join()} at ${at}: ${score}, not ${wanted[at]}`);
        });
      }
    }),
  ));

test.run();
