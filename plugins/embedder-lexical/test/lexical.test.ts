import { createHash } from 'node:crypto';
import type { TrainedState } from '@trove/core/model';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { TrainedTable, packTable } from '../src/trained-table.js';
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

test('is the plugin for the provider lexical and names its worker module', async () => {
  assert.is(plugin.kind, 'embedder');
  assert.equal(plugin.keys, ['lexical']);
  const loaded: { default: unknown } = await import(plugin.workerModule ?? '');
  assert.is(loaded.default, plugin);
});

test('returns vectors of the configured dimension', async () => {
  const [vector] = await embedAll(['some text'], new LexicalEmbedder(100));
  assert.is(vector?.length, 100);
});

test('returns the stored vectors of earlier releases of the same model', async () => {
  const [vector] = await embedAll(['The parseHeader function reads café menus. 東京']);
  assert.is(new LexicalEmbedder(512).model, 'lexical/v2');
  assert.is(digest(vector), '60fcb0707cd90dc6');
});

test('returns the same vector regardless of earlier texts', async () => {
  const embedder = new LexicalEmbedder(128);
  const [before] = await embedAll(['wings generate lift'], embedder);
  const many = Array.from({ length: 400 }, (_, i) =>
    Array.from({ length: 100 }, (_unused, j) => `w${(i * 100 + j).toString(36)}ordish`).join(' '),
  );
  await embedAll(many, embedder);
  const [after] = await embedAll(['wings generate lift'], embedder);
  assert.equal(after, before);
});

test('returns the same vector if its tables grow in the middle of a text', async () => {
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

test('ignores stop words', async () => {
  assert.ok((await cosine('the lift of a wing', 'lift wing')) > 0.999);
});

test('considers the order of words', async () => {
  const same = await cosine('dog bites man', 'dog bites man today');
  const other = await cosine('man bites dog', 'dog bites man today');
  assert.ok(same > other);
});

test('limits the weight of repeated words', async () => {
  const repeated = await cosine(`${'engine '.repeat(50)}valve`, 'valve');
  assert.ok(repeated > 0.08, String(repeated));
});

test('ignores words that only phrase a question', async () => {
  assert.ok((await cosine('what is the boiling point', 'boiling point', 'query')) > 0.999);
});

test('distinguishes texts without words by their characters', async () => {
  assert.ok((await cosine('==>', '==>')) > 0.999);
  assert.ok((await cosine('==>', '!?!')) < 0.9);
});

test('embeds a huge text without spaces', async () => {
  const [vector] = await embedAll(['漢字仮名'.repeat(100_000)]);
  assert.ok(vector?.every(Number.isFinite));
});

test('uses given terms for documents but never for queries', async () => {
  const [other] = await embedAll(['wings lift']);
  const embed = async (purpose: 'document' | 'query') => {
    const options = { purpose, terms: [['wing', 'lift']], signal };
    const [vector] = await new LexicalEmbedder(512).embed(['cats purr'], options);
    return digest(vector);
  };
  assert.is(await embed('document'), digest(other));
  assert.is.not(await embed('query'), digest(other));
});

/** A unique word. */
function word(number: number): string {
  const hex = createHash('sha256').update(String(number)).digest('hex').slice(0, 9);
  return hex.replaceAll(/\d/g, (digit) => String.fromCharCode('g'.charCodeAt(0) + Number(digit)));
}

const dimension = 64;
/** The number of latent dimensions. */
const topics = 8;

function wordsOf(topic: number): string[] {
  return Array.from({ length: 20 }, (_, at) => word(100 * topic + at));
}

/** Creates texts about one topic each, with some of its words. */
function sample(count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const words = wordsOf(at % topics);
    const some = Array.from({ length: 6 }, (_unused, i) => words[(at + 7 * i * i) % words.length]);
    return `everywhere ${some.join(' ')}`;
  });
}

/** Returns cosines of a query with texts, before or after training. */
async function cosines(
  query: string,
  texts: readonly string[],
  fit?: TrainedState,
): Promise<number[]> {
  const embedder = new LexicalEmbedder(dimension);
  const options = { ...(fit === undefined ? {} : { trainedState: fit }), signal };
  const [asked = new Float32Array()] = await embedder.embed([query], {
    purpose: 'query',
    ...options,
  });
  const vectors = await embedder.embed(texts, { purpose: 'document', ...options });
  return vectors.map((vector) =>
    vector.reduce((sum, value, i) => sum + value * (asked[i] ?? 0), 0),
  );
}

async function fitOf(texts: readonly string[]): Promise<TrainedState> {
  return { id: 'a', state: await new LexicalEmbedder(dimension).train(texts, { signal }) };
}

test('brings words of the same contexts close after training', async () => {
  const [asked = '', ...same] = wordsOf(0);
  const texts = [same.join(' '), wordsOf(1).join(' ')];
  const [before = 1] = await cosines(asked, texts);
  const [near = 0, far = 1] = await cosines(asked, texts, await fitOf(sample(400)));
  assert.ok(near > before + 0.1 && near > far + 0.1, `${before}, ${near} and ${far}`);
});

test('weighs rare words more after training', async () => {
  const texts = ['everywhere', word(7777)];
  const query = texts.join(' ');
  const [frequent = 1, rare = 0] = await cosines(query, texts, await fitOf(sample(400)));
  assert.ok(rare > 0.9 && rare > 2 * Math.abs(frequent), `${rare} and ${frequent}`);
});

test('weighs rare words of a query more than those of a text after training', async () => {
  const rare = word(7777);
  const both = `${wordsOf(0)[0] ?? ''} ${rare}`;
  const fit = await fitOf(sample(400));
  const [inQuery = 0] = await cosines(both, [rare], fit);
  const [inText = 1] = await cosines(rare, [both], fit);
  assert.ok(inQuery > inText + 0.01, `${inQuery} and ${inText}`);
});

test('adds directions in dimensions that are not multiples of four', () => {
  const rank = 9;
  const directions = Float32Array.from({ length: 3 * rank }, (_, at) => ((at * 7) % 13) - 6);
  const hashes = Int32Array.of(1, 2, 3);
  const rarities = Float32Array.of(1, 1, 1);
  const table = new TrainedTable(packTable({ hashes, rarities, directions, rank, texts: 9 }), rank);
  const weights = Float64Array.of(2 * table.scaleOf(0), 3 * table.scaleOf(2), 100);
  const sum = new Float32Array(rank);
  table.sumInto(sum, Int32Array.of(0, 2, 1), weights, 2);
  sum.forEach((value, i) => {
    const wanted = 2 * (directions[i] ?? 0) + 3 * (directions[2 * rank + i] ?? 0);
    assert.ok(Math.abs(value - wanted) < 0.2, `${i}: ${value} for ${wanted}`);
  });
});

test('counts all words of a long text in any order after training', async () => {
  const words = Array.from({ length: 1200 }, (_, at) => word(at));
  const texts = Array.from({ length: 400 }, (_, at) =>
    words.filter((_word, place) => (place * 7 + at) % 20 < 2).join(' '),
  );
  const fit = await fitOf(texts);
  const orders = [words.join(' '), words.toReversed().join(' ')];
  const embedder = new LexicalEmbedder(dimension);
  const vectors = await embedder.embed(orders, { purpose: 'document', trainedState: fit, signal });
  const [latent, other] = vectors.map((vector) => vector.subarray(-topics));
  latent?.forEach((value, i) => assert.ok(Math.abs(value - (other?.[i] ?? 0)) < 1e-4));
  assert.ok(Math.hypot(...(latent ?? [])) > 0.1);
});

test('trains the same bits from the same texts, even few or equal ones', async () => {
  const embedder = new LexicalEmbedder(512);
  const texts = Array.from({ length: 256 }, () => 'the same text');
  for (const some of [texts, sample(400), texts.map(() => '')]) {
    const state = await embedder.train(some, { signal });
    assert.equal(await new LexicalEmbedder(512).train(some, { signal }), state);
    const trainedState = { id: 'a', state };
    const options = { purpose: 'document', trainedState, signal } as const;
    const [vector] = await new LexicalEmbedder(512).embed(['the same text'], options);
    assert.ok(Math.abs(Math.hypot(...(vector ?? [])) - 1) < 1e-5);
  }
});

test('rejects trained states of other versions and dimensions', async () => {
  const embedder = new LexicalEmbedder(512);
  const state = await embedder.train(sample(300), { signal });
  const use = (bytes: Uint8Array, length: number) =>
    new LexicalEmbedder(length).embed(['text'], {
      purpose: 'document',
      trainedState: { id: 'a', state: bytes },
      signal,
    });
  const isRejected = (work: Promise<unknown>) =>
    work.then(
      () => false,
      () => true,
    );
  assert.ok(await isRejected(use(state, 1024)));
  assert.ok(await isRejected(use(state.subarray(0, -1), 512)));
  assert.ok(await isRejected(use(Uint8Array.of(1, 2, 3), 512)));
  const moved = new Uint8Array(state.length + 1);
  moved.set(state, 1);
  assert.not(await isRejected(use(moved.subarray(1), 512)), 'not aligned');
});

test.run();
