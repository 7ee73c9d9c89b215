import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { normalizeName } from '@trove/text/names';

import { ids, options, passage, retrieverOf, world } from '../support/passages.js';
import { turnsDuring } from '../support/turns.js';

const test = suite('bounds');
const widest = {
  ...options,
  passageTopK: 50,
  entityTopK: 200,
  relationTopK: 200,
  expansionDegree: 4,
};

test('a name in very many passages leads only to the passage with it as title', async () => {
  const many = Array.from({ length: 20_000 }, (_, n) => {
    const place = n % 2 === 0 ? `Lone Place ${n}` : 'Hub City';
    const text = `Item ${n} comes from ${place}.`;
    return passage(`p${n}`, `Item ${n}`, text, [`Item ${n} | comes from | ${place}`]);
  });
  const hub = passage('hub', 'Hub City', 'Hub City has an old zoo.', ['Hub City | has | zoo']);
  const retriever = retrieverOf([...many, hub]);
  const found = await retriever.retrieve('Which zoo is where Item 7 comes from?', widest);
  assert.equal(ids(found).slice(0, 2).toSorted(), ['hub', 'p7']);
  assert.ok(found.considered.passages < 3000, `${found.considered.passages} passages`);
  assert.ok(found.subgraph.entities.length <= 150);
  assert.is(retriever.neighbors('Hub City', 1000)?.neighbors.length, 1000);
});

/** Creates `count` passages, each with relations from the hub to 500 places of its own. */
function leavesOf(count: number) {
  return Array.from({ length: count }, (_, n) => {
    const leaves = Array.from(
      { length: 500 },
      (__, m) => `Old Hub | leads to | Leaf ${n * 500 + m}`,
    );
    return passage(`p${n}`, null, `Old Hub, number ${n}`, leaves);
  });
}

test('lists the neighbors of a hub of long passages quickly', async () => {
  const retriever = retrieverOf(leavesOf(40));
  const started = performance.now();
  assert.is(retriever.neighbors('Old Hub', 1000)?.neighbors.length, 1000);
  const ms = performance.now() - started;
  assert.ok(ms < 2500, `${ms} ms`);
});

test('reads only the first of very many relations', async () => {
  const late = passage('late', null, 'Late', [
    'Old Hub | leads to | Late',
    'Old Hub | ends at | Late',
  ]);
  const near = retrieverOf([...leavesOf(39), late]).neighbors('Old Hub', 1);
  assert.is(near?.neighbors[0]?.name, 'Late');
  const retriever = retrieverOf([...leavesOf(220), late]);
  assert.is.not(retriever.neighbors('Old Hub', 1)?.neighbors[0]?.name, 'Late');
  const { considered } = await retriever.retrieve('Where does Old Hub lead?', widest);
  assert.ok(considered.entities < 105_000, `${considered.entities} entities`);
});

test('indexes long passages fully and very long ones by their beginning', async () => {
  const filler = 'Some Words Of Filler. '.repeat(400);
  const retriever = retrieverOf([
    passage('end', null, `${filler} The walrus sings.`),
    passage('huge', null, `${'x '.repeat(60_000)} gibbon`),
    ...world,
  ]);
  assert.equal(ids(await retriever.retrieve('walrus', options)), ['end']);
  assert.equal(ids(await retriever.retrieve('gibbon', options)), []);
});

test('answers a long question by its beginning', async () => {
  const retriever = retrieverOf(world);
  const long = `Where was the director of The Long Harbour born? ${'The Long Harbour, Velstad. '.repeat(400)}`;
  assert.is((await retriever.retrieve(long, widest)).passages[0]?.id, 'film');
  assert.equal(ids(await retriever.retrieve(`${'zzz '.repeat(5000)} Velstad`, widest)), []);
});

function letters(number: number): string {
  return Array.from(String(number), (digit) => 'bcdfghjkmn'.charAt(Number(digit))).join('');
}

test('uses the first 256 different terms of a question', async () => {
  const words = Array.from({ length: 400 }, (_, n) => `zq${letters(n)}`);
  const retriever = retrieverOf([
    passage('all', null, words.join(' ')),
    passage('last', null, `zq${letters(399)}`),
  ]);
  assert.equal(ids(await retriever.retrieve(words.join(' '), options)), ['all']);
  assert.equal(ids(await retriever.retrieve(`zq${letters(399)}`, options)).toSorted(), [
    'all',
    'last',
  ]);
});

test('keeps at most a thousand relations of a passage', async () => {
  const triplets = Array.from({ length: 3000 }, (_, n) => `A | r${n} | B${n}`);
  const around = retrieverOf([passage('1', null, 'x', triplets)]).neighbors('A', 5000);
  assert.is(around?.neighbors.length, 1000);
});

const hostile = [
  '\ud800',
  '\u0000\u0007\u200b\u202e',
  `e${'\u0315\u0300'.repeat(20_000)}`,
  '\ufdfa'.repeat(5000),
  'İ'.repeat(5000),
  'A'.repeat(50_000),
  'A '.repeat(20_000),
  `Oslo${' '.repeat(90_000)}Bergen`,
  `${'('.repeat(40_000)} Oslo`,
  `A${'. B'.repeat(20_000)}`,
  `${'"'.repeat(40_000)}. X`,
  '__proto__ constructor toString',
  '語の例文です。😀',
];

test('adds, finds and answers questions with texts of any kind', async () => {
  const retriever = retrieverOf(
    hostile.map((text, n) => ({
      ...passage(`h${n}`, text, `${text} marker${n}`),
      triplets: [{ subject: text, predicate: text, object: `Object ${n}` }],
    })),
  );
  for (const [n, text] of hostile.entries()) {
    for (const question of [text, `${text} marker${n}`, `marker${n}`]) {
      const found = await retriever.retrieve(question, widest);
      for (const { score } of found.passages) assert.ok(score > 0 && score <= 1);
    }
    retriever.neighbors(text, 10);
  }
  assert.is((await retriever.retrieve('__proto__', options)).passages[0]?.id, 'h11');
  assert.is(retriever.neighbors('constructor', 10), null);
  retriever.remove(hostile.map((_, n) => `h${n}`));
  assert.equal(ids(await retriever.retrieve('marker3 Object 3', widest)), []);
});

test('drops relations with a name that is empty when normalised', async () => {
  const retriever = retrieverOf([
    passage('1', '…', 'Text', ['! | is | Oslo', 'Oslo | is | Norway']),
  ]);
  assert.is(normalizeName('!'), '');
  assert.equal(
    retriever.neighbors('Oslo', 10)?.relations.map(({ text }) => text),
    ['Oslo is Norway'],
  );
});

test('yields to other work while answering in a fully connected graph', async () => {
  const count = 600;
  const everything = Array.from({ length: count }, (_, n) => {
    const others = Array.from(
      { length: count - n - 1 },
      (__, m) => `Node ${n} | knows | Node ${n + m + 1}`,
    );
    return passage(`p${n}`, `Node ${n}`, `Node ${n} knows many.`, others);
  });
  const retriever = retrieverOf(everything);
  const question = 'Which Node is known by Node 500 and Node 3?';
  const turns = await turnsDuring(() => retriever.retrieve(question, widest));
  assert.ok(turns > 3, `${turns} turns`);
  const given = AbortSignal.abort();
  const refused = await retriever
    .retrieve(question, widest, given)
    .catch((error: unknown) => error);
  assert.is(refused, given.reason);
});

test.run();
