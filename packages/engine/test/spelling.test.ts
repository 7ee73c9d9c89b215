import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { alteredIndex, root, sync, World } from './support/engine.js';

const test = suite('spelling correction');

/** An engine with these texts and the terms of its index queries. */
async function engineWith(
  texts: Readonly<Record<string, string>>,
): Promise<{ engine: Engine; asked: (readonly string[])[] }> {
  const world = new World();
  for (const [path, text] of Object.entries(texts)) world.source.set(path, text);
  const asked: (readonly string[])[] = [];
  const index = alteredIndex(world.storage, (collection) => {
    const count = collection.frequencies.bind(collection);
    collection.frequencies = (terms, query) => {
      // Queries also look up the languages.
      if (!terms.includes('de:')) asked.push(terms);
      return count(terms, query);
    };
  });
  const engine = await world.open({ plugins: [index], index: { uri: 'altered://index' } });
  await sync(engine);
  return { engine, asked };
}

const texts = {
  'a.md': 'The temperature of the lamp',
  'b.md': 'A connection is made, and another connection',
  'c.md': 'A lamp without oil',
  'd/e.md': 'A lump of coal, and a limpet',
};

test('replaces an unknown word by words one edit away and reports it', async () => {
  const { engine } = await engineWith(texts);
  for (const mode of ['hybrid', 'keyword'] as const) {
    const { results, metadata } = await engine.search({ q: 'Temperture of conections', mode });
    assert.equal(
      results.map(({ source }) => source.slice(root.length + 1)).sort(),
      ['a.md', 'b.md'],
      mode,
    );
    assert.equal(metadata, {
      showing_results_for: 'Temperature of connections',
      corrections: [
        { word: 'Temperture', replacements: ['temperature'] },
        { word: 'conections', replacements: ['connections'] },
      ],
    });
  }
  await engine.close();
});

test('searches the two most frequent words one edit away', async () => {
  const { engine } = await engineWith({ ...texts, 'f.md': 'A lump', 'g.md': 'A limp lamp' });
  const { results, metadata } = await engine.search({ q: 'lomp limpit', mode: 'keyword' });
  assert.equal(metadata?.corrections, [
    { word: 'lomp', replacements: ['lamp', 'lump'] },
    { word: 'limpit', replacements: ['limpet'] },
  ]);
  assert.is(metadata?.showing_results_for, 'lamp limpet');
  assert.is(results[0]?.source, `${root}/d/e.md`);
  assert.is(results[0]?.score, 1, 'both spellings count as the query word');
  await engine.close();
});

test('suggests only spellings that texts contain', async () => {
  const { engine } = await engineWith({
    'a.md': 'The super class, and super again',
    'b.md': 'Another super class; init super',
    'c.md': 'Keep two things separate',
    'd.md': 'The initial migration is done by the Migrator; a migration, once more',
    'e.md': 'It concerns the environment, er schließt, hat geschlossen',
    'f.md': 'Be concise; call init, and init again',
  });
  const corrections = async (q: string) =>
    (await engine.search({ q, mode: 'keyword' })).metadata?.corrections.map(
      ({ replacements }) => replacements,
    );
  assert.equal(await corrections('seperate'), [['separate']]);
  assert.equal(await corrections('intial migraton'), [['initial'], ['migration']]);
  assert.equal(await corrections('enviroment'), [['environment']]);
  assert.equal(await corrections('schließe'), [['schließt']], 'as texts write it');
  assert.equal(await corrections('concious'), [['concise']], 'a word with the same term');
  await engine.close();
});

test('looks up only words that no hit shows, once', async () => {
  const { engine, asked } = await engineWith(texts);
  const shown = await engine.search({ q: 'lamp connections', mode: 'keyword' });
  assert.is(shown.metadata, undefined);
  assert.equal(asked, []);
  for (let turn = 0; turn < 2; turn++) {
    const { results, metadata } = await engine.search({ q: 'coal oil', mode: 'keyword', top_k: 1 });
    assert.is(metadata, undefined);
    assert.is(results.length, 1);
  }
  assert.is(asked.length, 1);
  assert.is(asked[0]?.length, 1, 'the word missing from the hit');
  await engine.close();
});

test('suggests words of the scope, only for words unknown everywhere', async () => {
  const { engine } = await engineWith(texts);
  const below = await engine.search({ q: 'lomp', mode: 'keyword', path: `${root}/d` });
  assert.equal(below.metadata?.corrections, [{ word: 'lomp', replacements: ['lump'] }]);
  const filtered = await engine.search({ q: 'lomp', mode: 'keyword', filter: 'path like "%c.md"' });
  assert.equal(filtered.metadata?.corrections, [{ word: 'lomp', replacements: ['lamp'] }]);
  const elsewhere = await engine.search({ q: 'lump', mode: 'keyword', path: `${root}/c.md` });
  assert.equal(elsewhere, { results: [] });
  await engine.close();
});

test('does not correct a word that was just indexed', async () => {
  const world = new World();
  world.source.set('a.md', 'lamp');
  const engine = await world.open();
  await sync(engine);
  const corrected = async () => (await engine.search({ q: 'lomp', mode: 'keyword' })).metadata;
  assert.is((await corrected())?.showing_results_for, 'lamp');
  world.source.set('b.md', 'lomp');
  await sync(engine);
  assert.is(await corrected(), undefined);
  await engine.close();
});

test('drops a mistyped stop word and keeps a word without neighbours', async () => {
  const { engine } = await engineWith(texts);
  const { results, metadata } = await engine.search({ q: 'thier coal zzyzx', mode: 'keyword' });
  assert.is(metadata?.showing_results_for, 'their coal zzyzx');
  assert.equal(
    results.map(({ source }) => source),
    [`${root}/d/e.md`],
  );
  await engine.close();
});

test('finds a compound name that is written as one word', async () => {
  const { engine } = await engineWith({ ...texts, 'f.py': 'assert type(x) is NoneType' });
  const { results, metadata } = await engine.search({ q: 'nonetype', mode: 'keyword' });
  assert.is(metadata, undefined);
  assert.is(results[0]?.source, `${root}/f.py`);
  assert.is(results[0]?.score, 1);
  await engine.close();
});

test('writes corrections in the case of the original word', async () => {
  const { engine } = await engineWith({
    ...texts,
    'f.py': 'class AsyncHTTPLamp(Lamp):\n    pass',
    'g.py': 'MAX_LAMPS = 7',
    'h.md': 'Wärmeleitung',
  });
  const answered = async (q: string) => {
    const { results, metadata } = await engine.search({ q, mode: 'keyword' });
    return [metadata?.showing_results_for, results[0]?.source.slice(root.length + 1)];
  };
  assert.equal(await answered('AsyncHTTPLapm'), ['AsyncHTTPLamp', 'f.py']);
  assert.equal(await answered('MAX_LAMSP'), ['MAX_LAMPS', 'g.py']);
  assert.equal(await answered('AsyncHTTPLamp'), [undefined, 'f.py']);
  assert.equal(await answered('Wärmeleitugn'), ['Wärmeleitung', 'h.md']);
  await engine.close();
});

test('embeds semantic queries unchanged', async () => {
  const { engine, asked } = await engineWith(texts);
  const { metadata } = await engine.search({ q: 'temperture', mode: 'semantic' });
  assert.is(metadata, undefined);
  assert.equal(asked, []);
  await engine.close();
});

test('finds words of other languages in all their forms', async () => {
  const { engine } = await engineWith({
    ...texts,
    'de.md': 'Die Verbindung wird wieder aufgebaut, wenn sie nicht beendet ist.',
    'ru.md': 'Если соединение потеряно, оно восстанавливается.',
  });
  for (const [q, path] of [
    ['Verbindungen', 'de.md'],
    ['соединения', 'ru.md'],
  ] as const) {
    const { results, metadata } = await engine.search({ q, mode: 'keyword' });
    assert.is(metadata, undefined, q);
    assert.is(results[0]?.source, `${root}/${path}`);
    assert.is(results[0]?.score, 1, 'a form counts as the word');
  }
  await engine.close();
});

test('does not favour texts in another language with the same words', async () => {
  const { engine } = await engineWith({
    'a.md': 'The trove server keeps its configuration',
    'b.md': 'Restart the trove server with its configuration',
    'c.md': 'Another trove server',
    'de.md':
      'Die Konfiguration für den trove Server wird nicht mit der alten überschrieben, die bleibt',
  });
  const { results } = await engine.search({ q: 'trove server configuration', mode: 'keyword' });
  assert.is(results[0]?.source, `${root}/a.md`);
  const { results: plural } = await engine.search({ q: 'Konfigurationen', mode: 'keyword' });
  assert.is(plural[0]?.source, `${root}/de.md`);
  await engine.close();
});

test('source code has no language', async () => {
  const { engine } = await engineWith({
    'a.py':
      'def debug(self):\n    # la liaison est rétablie par le service quand elle est perdue\n    return log(self)\n',
  });
  const { results } = await engine.search({ q: 'services', mode: 'keyword' });
  assert.is(results.length, 1, 'found by its English stem');
  const french = await engine.search({ q: 'rétablissement', mode: 'keyword' });
  assert.equal(french.results, []);
  await engine.close();
});

test.run();
