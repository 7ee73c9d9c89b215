import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { sync, World } from './support/engine.js';

/* Scores for callers with paths do not tell how common words are in hidden objects. */

const test = suite('scores for callers with paths');
const open = 'memory://local/open';
const modes = ['hybrid', 'keyword', 'semantic'] as const;

/** Passes what a caller sees of the same objects, beside hidden objects with one of their words. */
async function withHidden(
  hidden: number,
  check: (seen: Pick<Engine, 'search'>) => Promise<void>,
): Promise<void> {
  const world = new World();
  world.source.set('open/a.txt', 'The walrus of the harbour.');
  world.source.set('open/b.txt', 'A lighthouse at the harbour of a town.');
  for (let n = 0; n < 12; n++) world.source.set(`open/more/${n}.txt`, `Harbour number ${n}.`);
  for (let n = 0; n < hidden; n++) world.source.set(`hidden/${n}.txt`, `A walrus and walrus ${n}.`);
  const engine = await world.open();
  try {
    await sync(engine);
    await check(engine.restrictTo({ rights: 'read', paths: [open] }));
  } finally {
    await engine.close();
  }
}

type Query = Parameters<Engine['search']>[0];

async function scoresOf(engine: Pick<Engine, 'search'>, query: Query): Promise<unknown[]> {
  const { results } = await engine.search(query);
  return results.map(({ score, metadata }) => [score, metadata.scores]);
}

test('are the same for any number of hidden objects with a word of the query', async () => {
  const answers: unknown[] = [];
  for (const hidden of [0, 1, 40]) {
    await withHidden(hidden, async (seen) => {
      const queries = modes.map((mode) => ({ q: 'walrus lighthouse harbour', mode, top_k: 20 }));
      answers.push(await Promise.all(queries.map((query) => scoresOf(seen, query))));
    });
  }
  const [first, ...others] = answers;
  for (const other of others) assert.equal(other, first);
});

test('fall with the place, and are the same on every page', async () => {
  await withHidden(3, async (seen) => {
    const query = { q: 'harbour', mode: 'keyword' } as const;
    const { results } = await seen.search({ ...query, top_k: 12 });
    const scores = results.map(({ score }) => score ?? NaN);
    assert.is(scores.length, 12);
    assert.is(scores[0], 1);
    assert.equal(
      scores,
      scores.toSorted((a, b) => b - a),
    );
    const { results: second } = await seen.search({ ...query, offset: 4, top_k: 8 });
    assert.equal(
      second.map(({ score }) => score),
      scores.slice(4),
    );
  });
});

test.run();
