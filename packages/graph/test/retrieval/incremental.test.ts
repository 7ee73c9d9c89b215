import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { createRetriever } from '../../src/retrieval/index.js';
import type { GraphPassage, GraphRetriever } from '../../src/retrieval/types.js';
import { options, retrieverOf } from '../support/passages.js';

const test = suite('incremental');
const names = [
  'Ada Lane',
  'ada lane',
  'Ada Láne',
  'Berń',
  'Bern',
  'BERN',
  'Castle of Cray',
  'Dun',
  'dun',
  'Echo',
];
const words = [...names, 'river', 'runs', 'the', 'old', 'was built by', 'in', '.', 'since 1920'];

const text = fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((parts) => parts.join(' '));
const passage: fc.Arbitrary<GraphPassage> = fc.record({
  id: fc.constantFrom(...Array.from({ length: 12 }, (_, n) => `p${n}`)),
  title: fc.option(fc.constantFrom(...names)),
  text,
  triplets: fc.array(
    fc.record({
      subject: fc.constantFrom(...names, '!'),
      predicate: fc.constantFrom('knows', 'Knows', 'lies in'),
      object: fc.constantFrom(...names),
    }),
    { maxLength: 3 },
  ),
  origin: fc.constantFrom('given', 'rules'),
});
const change = fc.oneof(
  { weight: 3, arbitrary: fc.record({ add: fc.array(passage, { maxLength: 4 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      remove: fc.array(
        passage.map(({ id }) => id),
        { maxLength: 4 },
      ),
    }),
  },
);

/** Returns the answers by which two indexes are compared. */
async function answers(retriever: GraphRetriever): Promise<unknown> {
  const questions = [
    'Who built the Castle of Cray?',
    'ada lane and Bern',
    'old river',
    'Dun Echo since 1920',
  ];
  const wanted = { ...options, passageTopK: 20, expansionDegree: 2 };
  return [
    ...(await Promise.all(questions.map((each) => retriever.retrieve(each, wanted)))),
    ...names.map((name) => retriever.neighbors(name, 5)),
  ];
}

test('changes leave the same index as adding only the remaining passages', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
      const retriever = createRetriever('g');
      const kept = new Map<string, GraphPassage>();
      for (const each of changes) {
        if ('add' in each) {
          retriever.add(each.add);
          for (const added of each.add) kept.set(added.id, added);
        } else {
          retriever.remove(each.remove);
          for (const id of each.remove) kept.delete(id);
        }
      }
      assert.equal(await answers(retriever), await answers(retrieverOf([...kept.values()])));
    }),
    { numRuns: 100 },
  );
});

test('frees memory after many removals without changing answers', async () => {
  const make = (n: number): GraphPassage => ({
    id: `p${n}`,
    title: `Town ${n % 50}`,
    text: `Town ${n % 50} is mentioned with number ${n} and Ada Lane.`,
    triplets: [{ subject: `Town ${n % 50}`, predicate: 'has', object: `Number ${n}` }],
  });
  const all = Array.from({ length: 4000 }, (_, n) => make(n));
  const retriever = retrieverOf(all);
  retriever.remove(all.slice(0, 3500).map(({ id }) => id));
  const fresh = retrieverOf(all.slice(3500));
  assert.ok(retriever.bytes <= fresh.bytes, `${retriever.bytes} of ${fresh.bytes} bytes`);
  for (const question of ['Town 7', 'number 3777', 'Ada Lane']) {
    assert.equal(
      await retriever.retrieve(question, options),
      await fresh.retrieve(question, options),
    );
  }
});

test.run();
