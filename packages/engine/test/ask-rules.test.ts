import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { root, sync, World } from './support/engine.js';

const test = suite<{ world: World; engine: Engine }>('answers without a language model');

test.before.each(async (context) => {
  context.world = new World();
  context.engine = await context.world.open();
});
test.after.each(async ({ engine }) => {
  await engine.close();
});

async function answerOf(engine: Engine, question: string): Promise<string> {
  const { answer, found, citations, passages } = await engine.ask({ question });
  assert.is(found, citations.length > 0);
  for (const { source, quote } of citations)
    assert.ok(passages.some((each) => each.source === source && each.content.includes(quote)));
  return answer;
}

test('an answer quotes no sentence of an unrelated passage', async ({ world, engine }) => {
  world.source.set('a.md', '# Pears\n\nPears ripen in September.\n\nCherries ripen in June.\n');
  world.source.set('b.md', '# Apples\n\nApples are harvested in October.\n');
  await sync(engine);
  assert.is(await answerOf(engine, 'When do pears ripen?'), '“Pears ripen in September.” [1]');
  assert.is(await answerOf(engine, 'When are bananas harvested?'), 'Not found');
});

test('words far apart in a passage do not answer together', async ({ world, engine }) => {
  const filler = 'The weather was fine on that day.\n\n';
  const text = `# Notes\n\nThe gardener plants tulips.\n\n${filler.repeat(6)}The mayor wears a crown.\n`;
  world.source.set('a.md', text);
  await sync(engine);
  assert.is(await answerOf(engine, 'Who plants a crown?'), 'Not found');
  assert.is(await answerOf(engine, 'Who plants tulips?'), '“The gardener plants tulips.” [1]');
});

test('the heading counts for the sentences below it', async ({ world, engine }) => {
  world.source.set(
    'a.md',
    '# Opening hours\n\nFrom nine to five.\n\n# Parking\n\nBehind the house.\n',
  );
  await sync(engine);
  assert.is(await answerOf(engine, 'What are the opening hours?'), '“From nine to five.” [1]');
});

test('a question in the text is answered by the sentence below it', async ({ world, engine }) => {
  world.source.set('a.md', 'How is the boiler repaired?\n\nCall the plumber.\n\nPay at once.\n');
  await sync(engine);
  assert.match(await answerOf(engine, 'How is the boiler repaired?'), /^“Call the plumber.” \[1\]/);
});

test('the header of a table counts for its rows', async ({ world, engine }) => {
  const table = '| fruit | price |\n| --- | --- |\n| pears | 3 EUR |\n| plums | 4 EUR |\n';
  world.source.set('a.md', table);
  await sync(engine);
  assert.is(await answerOf(engine, 'What is the price of plums?'), '“| plums | 4 EUR |” [1]');
});

test('a question in another language matches inflected words', async ({ world, engine }) => {
  world.source.set(
    'a.md',
    'Die Schlüssel der Häuser hängen im Flur, und der Hund schläft auf dem Sofa. Das ist nicht gut.\n',
  );
  await sync(engine);
  assert.match(await answerOf(engine, 'Wo hängen die Schlüssel des Hauses?'), 'im Flur');
});

test('a typing error is corrected, and a similar word is not', async ({ world, engine }) => {
  world.source.set('a.md', 'Tokens are rotated every night. The base of the lamp is heavy.\n');
  await sync(engine);
  const corrected = await engine.ask({ question: 'When are tokns rotated?' });
  assert.is(corrected.answer, '“Tokens are rotated every night.” [1]');
  assert.is(corrected.notice, 'The search was for “When are tokens rotated?”.');
  assert.is(await answerOf(engine, 'Can I bake a lamp?'), 'Not found');
});

test('path, glob, type, filter and max_passages limit the passages', async ({ world, engine }) => {
  for (const name of ['a/one.md', 'a/two.txt', 'b/one.md'])
    world.source.set(name, `Pears ripen in September, says ${name.replace(/\W/g, ' ')}.\n`);
  await sync(engine);
  const sources = async (request: object): Promise<string[]> => {
    const { passages } = await engine.ask({ question: 'When do pears ripen?', ...request });
    return passages.map(({ source }) => source.slice(root.length + 1)).sort();
  };
  assert.equal(await sources({}), ['a/one.md', 'a/two.txt', 'b/one.md']);
  assert.equal(await sources({ path: `${root}/a` }), ['a/one.md', 'a/two.txt']);
  assert.equal(await sources({ glob: '*.txt' }), ['a/two.txt']);
  assert.equal(await sources({ type: 'md' }), ['a/one.md', 'b/one.md']);
  assert.equal(await sources({ filter: 'media_type = "text/plain"' }), ['a/two.txt']);
  assert.is((await sources({ max_passages: 1 })).length, 1);
});

test.run();
