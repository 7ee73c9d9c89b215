import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { expectError } from '@trove/testkit';
import { turnsDuring } from './support/turns.js';
import { World, type Opened } from './support/world.js';

const test = suite<{ world: World; opened: Opened }>('graphs');

test.before.each(async (context) => {
  context.world = new World();
  context.opened = await context.world.open();
});
test.after.each(({ opened }) => opened.close());

const animals = {
  documents: [
    'Foxes\nFoxes are canids. A fox eats mice.',
    'Mice\nMice are rodents that eat grain.',
    'Owls\nOwls hunt mice at night.',
  ],
  ids: ['fox', 'mouse', 'owl'],
  metadatas: [{ year: 2020 }, { year: 2021, place: { name: 'field' } }, { year: 2022 }],
  triplets: [
    [['fox', 'eats', 'mice']],
    [['mice', 'eat', 'grain']],
    [{ subject: 'Owl', predicate: 'hunts', object: 'Mice' }],
  ],
  extract_triplets: false,
};

test('builds, lists, queries and deletes a graph', async ({ opened: { graphs } }) => {
  const added = await graphs.addDocuments('zoo', animals);
  assert.equal(added, {
    num_documents: 3,
    num_entities: 4,
    num_relations: 3,
    document_ids: ['fox', 'mouse', 'owl'],
    errors: [],
  });
  assert.equal((await graphs.graphs()).graphs, [
    {
      name: 'zoo',
      entity_collection: 'zoo_entities',
      relation_collection: 'zoo_relations',
      passage_collection: 'zoo_passages',
      has_all_collections: true,
    },
  ]);
  assert.equal(await graphs.stats('zoo'), {
    graph_name: 'zoo',
    entity_count: 4,
    relation_count: 3,
    passage_count: 3,
  });
  const { documents, total } = await graphs.documents({ graph_name: 'zoo', top_k: 2 });
  assert.equal([documents.map(({ id }) => id), total], [['fox', 'mouse'], 3]);
  const answer = await graphs.query('zoo', { question: 'Who eats mice?' });
  assert.ok(answer.retrieved_passages.some(({ id }) => id === 'fox'));
  assert.match(answer.answer, 'A fox eats mice.');
  assert.match(answer.answer, '[fox]');
  const [entityId = ''] = documents[0]?.entity_ids ?? [];
  const near = await graphs.neighbors('zoo', entityId);
  assert.equal(
    near.neighbors.map(({ name }) => name),
    ['mice'],
  );
  await graphs.deleteGraph('zoo');
  assert.equal(await graphs.graphs(), { graphs: [] });
  await expectError(graphs.stats('zoo'), 'not_found', 'stats of a deleted graph');
  await expectError(graphs.deleteGraph('zoo'), 'not_found', 'deleting it again');
});

test('lets other work run while documents with many triplets are added', async ({
  opened: { graphs },
}) => {
  const count = 30;
  const triplets = Array.from({ length: count }, (_, n) =>
    Array.from({ length: 1000 }, (__, m) => [`Place ${n}`, 'leads to', `Place ${n}-${m}`]),
  );
  const documents = triplets.map((_, n) => `Document ${n}`);
  const list = () => graphs.documents({ graph_name: 'zoo', top_k: count });
  const turns = {
    added: await turnsDuring(() =>
      graphs.addDocuments('zoo', { documents, triplets, extract_triplets: false }),
    ),
    loaded: await turnsDuring(list),
    shown: await turnsDuring(list),
  };
  assert.ok(
    Object.values(turns).every((each) => each > 5),
    JSON.stringify(turns),
  );
});

test.run();
