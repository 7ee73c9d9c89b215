import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { entityId } from '../../src/identity/ids.js';
import { createRetriever } from '../../src/retrieval/index.js';
import { ids, options, passage, retrieverOf, world } from '../support/passages.js';

const test = suite('retrieve');
const question = 'Where was the director of The Long Harbour born?';

test('finds a passage that the question does not name, over the one that does', async () => {
  const retrieval = await retrieverOf(world).retrieve(question, options);
  assert.equal(ids(retrieval).slice(0, 2), ['film', 'person']);
  const [film, person] = retrieval.passages;
  assert.is(film?.score, 1);
  assert.is(film?.via, 'anchor');
  assert.is(person?.via, 'bridge');
  assert.equal(person?.bridge, { passageId: 'film', entityId: entityId('g', 'Mira Okafor') });
});

test('a name in the question leads to its passage, whatever its case', async () => {
  const found = await retrieverOf(world).retrieve('who directed the long harbour?', options);
  assert.is(found.passages[0]?.id, 'film');
  assert.equal(
    found.queryEntities.map(({ name }) => name),
    ['The Long Harbour'],
  );
});

test('a name is found without its accents, and with some too many', async () => {
  const retriever = retrieverOf([
    passage('a', 'Akinoshū Kenji', 'A wrestler.', ['Akinoshū Kenji | wrestled in | Osaka']),
    passage('b', 'Zola', 'A writer of books.', ['Zola | wrote | books']),
    passage('c', 'Kenji', 'Somebody else.'),
  ]);
  const linked = async (asked: string): Promise<string[]> =>
    (await retriever.retrieve(asked, options)).queryEntities.map(({ name }) => name);
  assert.equal(await linked('Where did Akinoshu Kenji wrestle?'), ['Akinoshū Kenji']);
  assert.equal(await linked('What did Zóla write?'), ['Zola']);
  retriever.add([
    passage('d', 'Ākinoshu Kenji', 'Two.', ['Ākinoshu Kenji | met | Akinoshū Kenji']),
  ]);
  assert.equal((await linked('akinoshu kenji')).toSorted(), ['Akinoshū Kenji', 'Ākinoshu Kenji']);
});

test('what is titled with a name comes before what only mentions it', async () => {
  const found = await retrieverOf([
    passage('mentions', 'A list', 'Velstad, then Velstad, and so on.'),
    passage('titled', 'Velstad (town)', 'It lies far away.'),
  ]).retrieve('Tell me about Velstad', options);
  assert.equal(ids(found), ['titled', 'mentions']);
});

test('names stand in the text alone, too: no triplets are needed', async () => {
  const bare = world.map((each) => ({ ...each, triplets: [] }));
  const found = await retrieverOf(bare).retrieve(question, options);
  assert.equal(ids(found).slice(0, 2), ['film', 'person']);
  assert.equal(found.queryEntities, []);
  assert.equal(found.subgraph, { entities: [], relations: [] });
});

test('what does not match is neither found nor a step on the way, by a test or a set', async () => {
  const retriever = retrieverOf(world.map((each) => ({ ...each, metadata: { kind: each.id } })));
  const allowed = new Set(['person', 'town', 'noise']);
  const bySet = await retriever.retrieve(question, {
    ...options,
    matches: allowed,
    expansionDegree: 4,
  });
  const byTest = await retriever.retrieve(question, {
    ...options,
    matches: ({ metadata }) => allowed.has(String(metadata['kind'])),
    expansionDegree: 4,
  });
  assert.equal(bySet, byTest);
  for (const id of ids(bySet)) assert.ok(allowed.has(id), id);
  const shown = [...bySet.subgraph.relations, ...bySet.relations];
  for (const { passageIds } of shown) assert.not.ok(passageIds.includes('film'));
  assert.equal(bySet.queryEntities, []);
  assert.equal(ids(await retriever.retrieve(question, { ...options, matches: new Set() })), []);
});

test('one matching passage in 10,000 is found', async () => {
  const many = Array.from({ length: 10_000 }, (_, n) => ({
    ...passage(`p${n}`, null, `Harbour number ${n} is a harbour in The Long Harbour district.`),
    metadata: { n },
  }));
  const retriever = retrieverOf(many);
  const found = await retriever.retrieve('harbour', {
    ...options,
    matches: ({ metadata }) => metadata['n'] === 7345,
  });
  assert.equal(ids(found), ['p7345']);
});

test('similarity of meaning joins the words, and says so', async () => {
  const dense = new Map([
    ['noise', 0.9],
    ['town', Number.NaN],
    ['unknown', 1],
  ]);
  const found = await retrieverOf(world).retrieve('zzz', { ...options, dense });
  assert.is(found.passages[0]?.id, 'noise');
  assert.is(found.passages[0]?.via, 'dense');
});

test('relations that fit speak for their passage', async () => {
  const text = 'Some words about nothing.';
  const found = await retrieverOf([
    passage('a', null, text, ['Ulm | twinned with | Oban']),
    passage('b', null, `${text} zebra`, ['Oslo | known for | a fjord']),
    passage('c', null, `${text} yak`, []),
  ]).retrieve('some words: which towns are twinned?', options);
  assert.is(found.passages[0]?.id, 'a');
  assert.is(found.relations[0]?.text, 'Ulm twinned with Oban');
});

test('relations made by rules say less than others', async () => {
  const same = (id: string) =>
    passage(id, null, 'Some words.', [`Place ${id} | twinned with | Oban`]);
  const found = await retrieverOf([{ ...same('a'), origin: 'rules' }, same('b')]).retrieve(
    'some words: which are twinned?',
    options,
  );
  assert.equal(ids(found), ['b', 'a']);
});

test('a passage that is two steps away is reached', async () => {
  const noise = Array.from({ length: 10 }, (_, n) =>
    passage(`n${n}`, null, `The director of a harbour, number ${n}.`),
  );
  const chain = [
    passage('film', 'The Long Harbour', 'It was made by Mira Okafor.'),
    passage('person', 'Mira Okafor', 'She grew up in Velstad.'),
    passage('town', 'Velstad', 'It has an old lighthouse.'),
  ];
  const found = await retrieverOf([...noise, ...chain]).retrieve(
    'The director of The Long Harbour',
    {
      ...options,
      passageTopK: 20,
    },
  );
  const town = found.passages.find(({ id }) => id === 'town');
  assert.equal(town?.bridge, { passageId: 'person', entityId: entityId('g', 'Velstad') });
});

test('equals are ordered by id, whatever the order they came in', async () => {
  const same = ['c', 'a', 'd', 'b'].map((id) => passage(id, null, 'The same words.'));
  assert.equal(ids(await retrieverOf(same).retrieve('words', options)), ['a', 'b', 'c', 'd']);
});

test('nothing is found where nothing fits, and in an empty graph', async () => {
  const found = await retrieverOf(world).retrieve('zzz qqq', options);
  assert.equal(ids(found), []);
  assert.equal(ids(await createRetriever('g').retrieve(question, options)), []);
  assert.equal(ids(await retrieverOf(world).retrieve('?! …', options)), []);
});

test('a capital tells a name from a common noun, and so does the text', async () => {
  const retriever = retrieverOf([
    passage('play', 'Brand (play)', 'Brand is a play by Ivo Ledin.'),
    ...Array.from({ length: 5 }, (_, n) => passage(`n${n}`, null, `A brand of soap, number ${n}.`)),
  ]);
  const via = async (asked: string): Promise<string | undefined> =>
    (await retriever.retrieve(asked, options)).passages.find(({ id }) => id === 'play')?.via;
  assert.is(await via('Who wrote Brand?'), 'anchor');
  assert.is.not(await via('which brand is soap?'), 'anchor');
});

test.run();
