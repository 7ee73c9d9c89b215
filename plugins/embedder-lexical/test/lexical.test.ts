import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import plugin from '../src/index.js';
import { LexicalEmbedder } from '../src/lexical-embedder.js';

const test = suite('lexical embedder');

const { signal } = new AbortController();

function embedAll(texts: readonly string[], embedder = new LexicalEmbedder(512)) {
  return embedder.embed(texts, { purpose: 'document', signal });
}

async function cosine(first: string, second: string, purpose: 'document' | 'query' = 'document') {
  const embedder = new LexicalEmbedder(512);
  const [a] = await embedder.embed([first], { purpose, signal });
  const [b] = await embedAll([second], embedder);
  if (a === undefined || b === undefined) throw new Error('a vector is missing');
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}

function digest(vector: Float32Array | undefined): string {
  if (vector === undefined) throw new Error('a vector is missing');
  const rounded = Array.from(vector, (value) => Math.round(value * 1e4));
  return createHash('sha256').update(rounded.join()).digest('hex').slice(0, 16);
}

test('is the plugin for the provider lexical, and names the module for worker threads', async () => {
  assert.is(plugin.kind, 'embedder');
  assert.equal(plugin.keys, ['lexical']);
  const loaded: { default: unknown } = await import(plugin.workerModule ?? '');
  assert.is(loaded.default, plugin);
});

test('gives vectors of the configured dimension', async () => {
  const [vector] = await embedAll(['some text'], new LexicalEmbedder(100));
  assert.is(vector?.length, 100);
});

test('gives the vectors that were stored by earlier releases of the same model', async () => {
  const [vector] = await embedAll(['The parseHeader function reads café menus. 東京']);
  assert.is(new LexicalEmbedder(512).model, 'lexical/v1');
  assert.is(digest(vector), 'fd0731cda3e2e77c');
});

test('gives the same vector whatever was embedded before, also past the limit of its tables', async () => {
  const embedder = new LexicalEmbedder(128);
  const [before] = await embedAll(['wings generate lift'], embedder);
  const many = Array.from({ length: 400 }, (_, i) =>
    Array.from({ length: 100 }, (_unused, j) => `w${(i * 100 + j).toString(36)}ordish`).join(' '),
  );
  await embedAll(many, embedder);
  const [after] = await embedAll(['wings generate lift'], embedder);
  assert.equal(after, before);
});

test('gives the same vector when its tables grow in the middle of a text', async () => {
  const words = Array.from({ length: 20_000 }, (_, i) => `w${i.toString(36)}`).join(' ');
  const embedder = new LexicalEmbedder(128);
  const [first] = await embedAll([`${words} ${words}`], embedder);
  const [second] = await embedAll([`${words} ${words}`], embedder);
  assert.equal(second, first);
});

test('tolerates a typing error', async () => {
  const typo = await cosine('temprature', 'the temperature of the wing', 'query');
  const other = await cosine('temprature', 'the ownership of the ship', 'query');
  assert.ok(typo > 0.25 && typo > 3 * Math.abs(other), `${typo} against ${other}`);
});

test('does not see stop words', async () => {
  assert.ok((await cosine('the lift of a wing', 'lift wing')) > 0.999);
});

test('sees the order of words', async () => {
  const same = await cosine('dog bites man', 'dog bites man today');
  const other = await cosine('man bites dog', 'dog bites man today');
  assert.ok(same > other);
});

test('a word that is repeated does not drown the others', async () => {
  assert.ok((await cosine(`${'engine '.repeat(50)}valve`, 'valve')) > 0.1);
});

test('does not ask for the words that only phrase a question', async () => {
  assert.ok((await cosine('what is the boiling point', 'boiling point', 'query')) > 0.999);
});

test('tells texts without words apart by their characters', async () => {
  assert.ok((await cosine('==>', '==>')) > 0.999);
  assert.ok((await cosine('==>', '!?!')) < 0.9);
});

test('takes a huge text without spaces', async () => {
  const [vector] = await embedAll(['漢字仮名'.repeat(100_000)]);
  assert.ok(vector?.every(Number.isFinite));
});

test('takes the terms of documents as they are given, and of questions never', async () => {
  const [other] = await embedAll(['wings lift']);
  const embed = async (purpose: 'document' | 'query') => {
    const options = { purpose, terms: [['wing', 'lift']], signal };
    const [vector] = await new LexicalEmbedder(512).embed(['cats purr'], options);
    return digest(vector);
  };
  assert.is(await embed('document'), digest(other));
  assert.is.not(await embed('query'), digest(other));
});

test.run();
