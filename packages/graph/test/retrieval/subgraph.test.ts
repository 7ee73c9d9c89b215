import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { relationId } from '../../src/identity/ids.js';
import { options, passage, retrieverOf, world } from '../support/passages.js';

const test = suite('subgraph');

test('grows hop by hop and reports the additions of each step', async () => {
  const retriever = retrieverOf(world);
  const names = async (expansionDegree: number): Promise<string[]> => {
    const wanted = { ...options, passageTopK: 1, relationTopK: 1, expansionDegree };
    const { subgraph } = await retriever.retrieve('The Long Harbour', wanted);
    return subgraph.entities.map(({ name }) => name);
  };
  assert.equal(await names(0), ['The Long Harbour', 'Mira Okafor']);
  assert.equal(await names(1), [...(await names(0)), 'Velstad']);
  assert.equal(await names(2), [...(await names(1)), 'Tamm']);
  assert.equal(await names(4), await names(2));

  const { expansion, subgraph } = await retriever.retrieve('The Long Harbour', {
    ...options,
    passageTopK: 1,
    relationTopK: 1,
    expansionDegree: 2,
  });
  assert.equal(
    expansion.map(({ step, operation, totalEntities, totalRelations }) => [
      step,
      operation,
      totalEntities,
      totalRelations,
    ]),
    [
      [0, 'init', 2, 1],
      [1, 'expand', 3, 2],
      [2, 'expand', 4, 3],
    ],
  );
  assert.equal(
    expansion[2]?.entityIds,
    subgraph.entities.map(({ id }) => id),
  );
  assert.equal(expansion[1]?.addedRelationIds, [
    relationId('g', 'Mira Okafor', 'born in', 'Velstad'),
  ]);
  assert.is(expansion[1]?.description, '1 hop further: 1 entity and 1 relation');
});

test('entities and relations refer to each other; relations have both ends', async () => {
  const { subgraph } = await retrieverOf(world).retrieve('Velstad', {
    ...options,
    expansionDegree: 3,
  });
  const entities = new Map(subgraph.entities.map((each) => [each.id, each]));
  assert.ok(subgraph.relations.length > 2);
  for (const { id, entityIds } of subgraph.relations) {
    for (const end of entityIds) assert.ok(entities.get(end)?.relationIds.includes(id));
  }
  const velstad = subgraph.entities.find(({ name }) => name === 'Velstad');
  assert.equal(velstad?.passageIds.toSorted(), ['person', 'town']);
  assert.match(velstad?.description ?? '', /Velstad lies on Tamm/);
});

test('stays within the limits for display', async () => {
  const many = Array.from({ length: 400 }, (_, n) =>
    passage(`p${n}`, `Town ${n}`, `Town ${n} trades with Hub City.`, [
      `Town ${n} | trades with | Hub City`,
      `Town ${n} | lies near | Town ${n + 1}`,
      `Town ${n} | older than | Town ${n + 2}`,
    ]),
  );
  const { subgraph, considered } = await retrieverOf(many).retrieve(
    'Which towns trade with Town 7?',
    {
      ...options,
      entityTopK: 200,
      relationTopK: 200,
      expansionDegree: 4,
    },
  );
  assert.ok(subgraph.entities.length <= 150 && subgraph.entities.length > 100);
  assert.ok(subgraph.relations.length <= 300 && subgraph.relations.length > 100);
  assert.ok(considered.entities >= subgraph.entities.length);
  assert.ok(considered.relations >= subgraph.relations.length);
});

test('shows the first remaining spelling after the removal of a passage', async () => {
  const retriever = retrieverOf([
    passage('1', null, 'x', ['IBM | makes | Machines']),
    passage('2', null, 'x', ['ibm | sells | machines']),
  ]);
  assert.is(retriever.neighbors('ibm', 10)?.entity.name, 'IBM');
  retriever.remove(['1']);
  assert.is(retriever.neighbors('IBM', 10)?.entity.name, 'ibm');
  retriever.add([passage('1', null, 'x', ['Ibm | makes | Machines'])]);
  assert.is(retriever.neighbors('ibm', 10)?.entity.name, 'ibm');
  retriever.add([passage('2', null, 'x', ['I-B-M | sells | machines'])]);
  assert.is(retriever.neighbors('ibm', 10)?.entity.name, 'Ibm');
});

test('orders neighbors by connections, then by name, with their relations', async () => {
  const retriever = retrieverOf([
    passage('1', null, 'x', [
      'A | r | B',
      'A | s | C',
      'C | t | A',
      'B | u | C',
      'B | v | D',
      'A | w | A',
    ]),
    passage('2', null, 'x', ['A | r | B', 'E | q | A']),
  ]);
  const around = retriever.neighbors('a', 10);
  assert.equal(
    around?.neighbors.map(({ name }) => name),
    ['C', 'B', 'E'],
  );
  assert.equal(
    around?.relations.map(({ text }) => text),
    ['A r B', 'A s C', 'C t A', 'B u C', 'A w A', 'E q A'],
  );
  assert.equal(around?.relations[0]?.passageIds, ['1', '2']);
  assert.equal(
    retriever.neighbors('a', 1)?.relations.map(({ text }) => text),
    ['A s C', 'C t A', 'A w A'],
  );
  assert.is(retriever.neighbors('zebra', 10), null);
  assert.is(retriever.neighbors('…', 10), null);
});

test.run();
