import {
  array,
  assert as check,
  asyncProperty,
  constantFrom,
  oneof,
  record,
  tuple,
  uniqueArray,
  type Arbitrary,
} from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { expectError } from '@trove/testkit';
import type { Graphs } from '../src/index.js';
import { World } from './support/world.js';

const test = suite('changing documents of a graph');

type Triplet = readonly [string, string, string];
interface Doc {
  readonly id: string;
  readonly text: string;
  readonly triplets: readonly Triplet[];
}

const name = constantFrom('Ada', 'ADA', 'Bob', 'bob ', 'Cy', 'Dé', '!');
const doc: Arbitrary<Doc> = record({
  id: constantFrom('a', 'b', 'c', 'd', 'e'),
  text: constantFrom('Ada knows Bob.', 'Bob knows Cy.', 'Cy lives in Dé.', 'Nobody.'),
  triplets: array(tuple(name, constantFrom('knows', 'likes'), name), { maxLength: 3 }),
});
const change = oneof(
  record({
    upsert: uniqueArray(doc, { minLength: 1, maxLength: 3, selector: ({ id }) => id }),
  }),
  record({
    remove: uniqueArray(constantFrom('a', 'b', 'c', 'd', 'e', 'none'), {
      minLength: 1,
      maxLength: 2,
    }),
  }),
);

const requestOf = (docs: readonly Doc[]) => ({
  documents: docs.map(({ text }) => text),
  ids: docs.map(({ id }) => id),
  metadatas: docs.map(({ text }) => ({ length: text.length })),
  triplets: docs.map(({ triplets }) => triplets.map((triplet) => [...triplet])),
  extract_triplets: false,
});

/** Returns all visible data of a graph, without its name. */
async function seen(graphs: Graphs, graph_name: string) {
  const { documents, total } = await graphs.documents({ graph_name, top_k: 100 });
  const { graph_name: _name, ...counts } = await graphs.stats(graph_name);
  const answers = [];
  for (const question of ['Who knows Bob?', 'Where does Cy live?', 'Ada']) {
    const { stats: _stats, ...answer } = await graphs.query(graph_name, { question });
    answers.push(answer);
  }
  return { documents, total, counts, answers };
}

test('a changed graph equals a rebuilt one', async () => {
  const changing = await new World().open();
  const rebuilt = await new World().open();
  let run = 0;
  const first = uniqueArray(doc, { minLength: 1, maxLength: 5, selector: ({ id }) => id });
  await check(
    asyncProperty(first, array(change, { maxLength: 4 }), async (docs, changes) => {
      const graph = `g${run++}`;
      const current = new Map(docs.map((each) => [each.id, each]));
      await changing.graphs.addDocuments(graph, requestOf(docs));
      for (const each of changes) {
        if ('upsert' in each) {
          for (const one of each.upsert) current.set(one.id, one);
          await changing.graphs.upsertDocuments(graph, requestOf(each.upsert));
        } else {
          const gone = new Set<string>(each.remove);
          const left = [...current.keys()].filter((id) => !gone.has(id));
          // A graph needs at least one document.
          if (left.length === 0) continue;
          for (const id of each.remove) current.delete(id);
          await changing.graphs.deleteDocuments(graph, each.remove);
        }
      }
      await rebuilt.graphs.addDocuments(graph, requestOf([...current.values()]));
      assert.equal(await seen(changing.graphs, graph), await seen(rebuilt.graphs, graph));
    }),
    { numRuns: 30 },
  );
  await Promise.all([changing.close(), rebuilt.close()]);
});

test('extracts only new documents and rejects impossible changes', async () => {
  const { graphs, close } = await new World().open();
  const request = { documents: ['One.'], ids: ['one'] };
  await expectError(graphs.deleteDocuments('g', ['one']), 'not_found', 'an unknown graph');
  await graphs.upsertDocuments('g', request);
  assert.is((await graphs.stats('g')).passage_count, 1);
  await expectError(graphs.deleteDocuments('g', ['one']), 'validation_error', 'the last document');
  const without = graphs.upsertDocuments('g', { documents: ['x'] });
  await expectError(without, 'validation_error', 'a document without an id');
  await close();
});

test.run();
