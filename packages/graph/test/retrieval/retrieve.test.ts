import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { entityId } from '../../src/identity/ids.js';
import { createRetriever } from '../../src/retrieval/index.js';
import { ids, options, passage, retrieverOf, world } from '../support/passages.js';

const test = suite('retrieve');
const question = 'Where was the director of The Long Harbour born?';

test('finds an unnamed passage through the one that the question names', async () => {
  const retrieval = await retrieverOf(world).retrieve(question, options);
  assert.equal(ids(retrieval).slice(0, 2), ['film', 'person']);
  const [film, person] = retrieval.passages;
  assert.is(film?.score, 1);
  assert.is(film?.via, 'anchor');
  assert.is(person?.via, 'bridge');
  assert.equal(person?.bridge, { passageId: 'film', entityId: entityId('g', 'Mira Okafor') });
});

test('finds the passage of a name in the question, ignoring case', async () => {
  const found = await retrieverOf(world).retrieve('who directed the long harbour?', options);
  assert.is(found.passages[0]?.id, 'film');
  assert.equal(
    found.queryEntities.map(({ name }) => name),
    ['The Long Harbour'],
  );
});

test('finds a name with missing or additional accents', async () => {
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

test('ranks a passage titled with a name above one that only mentions it', async () => {
  const found = await retrieverOf([
    passage('mentions', 'A list', 'Velstad, then Velstad, and so on.'),
    passage('titled', 'Velstad (town)', 'It lies far away.'),
  ]).retrieve('Tell me about Velstad', options);
  assert.equal(ids(found), ['titled', 'mentions']);
});

test('finds names in texts without triplets', async () => {
  const bare = world.map((each) => ({ ...each, triplets: [] }));
  const found = await retrieverOf(bare).retrieve(question, options);
  assert.equal(ids(found).slice(0, 2), ['film', 'person']);
  assert.equal(found.queryEntities, []);
  assert.equal(found.subgraph, { entities: [], relations: [] });
});

test('a passage outside `matches` is neither a result nor a bridge', async () => {
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

test('finds one matching passage in 10,000', async () => {
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

test('adds dense similarity to the score and reports it as evidence', async () => {
  const dense = new Map([
    ['noise', 0.9],
    ['town', Number.NaN],
    ['unknown', 1],
  ]);
  const found = await retrieverOf(world).retrieve('zzz', { ...options, dense });
  assert.is(found.passages[0]?.id, 'noise');
  assert.is(found.passages[0]?.via, 'dense');
});

test('relevant relations raise the score of their passage', async () => {
  const text = 'Some words about nothing.';
  const found = await retrieverOf([
    passage('a', null, text, ['Ulm | twinned with | Oban']),
    passage('b', null, `${text} zebra`, ['Oslo | known for | a fjord']),
    passage('c', null, `${text} yak`, []),
  ]).retrieve('some words: which towns are twinned?', options);
  assert.is(found.passages[0]?.id, 'a');
  assert.is(found.relations[0]?.text, 'Ulm twinned with Oban');
});

test('relations made by rules have less weight than others', async () => {
  const same = (id: string) =>
    passage(id, null, 'Some words.', [`Place ${id} | twinned with | Oban`]);
  const found = await retrieverOf([{ ...same('a'), origin: 'rules' }, same('b')]).retrieve(
    'some words: which are twinned?',
    options,
  );
  assert.equal(ids(found), ['b', 'a']);
});

test('reaches a passage two bridges away', async () => {
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

test('orders equal passages by id, regardless of their order of addition', async () => {
  const same = ['c', 'a', 'd', 'b'].map((id) => passage(id, null, 'The same words.'));
  assert.equal(ids(await retrieverOf(same).retrieve('words', options)), ['a', 'b', 'c', 'd']);
});

test('parts of documents rise by their best sentence, and by the headings above them', async () => {
  const scores = async (section?: readonly string[]): Promise<Map<string, number>> => {
    const part = section === undefined ? {} : { section };
    const found = await retrieverOf([
      {
        ...passage('spread', 'Guide', 'Ships moor. Night falls. A fee exists. They pay.'),
        ...part,
      },
      { ...passage('exact', 'Guide', 'Dry berths. Ships that moor at night pay a fee.'), ...part },
      { ...passage('below', 'Guide', 'It is 20 crowns.'), ...part },
    ]).retrieve('Which fee do ships pay that moor at night?', options);
    return new Map(found.passages.map(({ id, score }) => [id, score]));
  };
  const [whole, parts, below] = [await scores(), await scores([]), await scores(['The fee'])];
  assert.ok((parts.get('exact') ?? 0) > (whole.get('exact') ?? 0));
  assert.not.ok(parts.has('below'));
  assert.ok(below.has('below'));
});

test('finds nothing without matching passages or in an empty graph', async () => {
  const found = await retrieverOf(world).retrieve('zzz qqq', options);
  assert.equal(ids(found), []);
  assert.equal(ids(await createRetriever('g').retrieve(question, options)), []);
  assert.equal(ids(await retrieverOf(world).retrieve('?! …', options)), []);
});

test('distinguishes a name from a common noun by capitals and the text', async () => {
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
