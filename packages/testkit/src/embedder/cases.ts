import { analyze } from '@trove/text/analyzer';
import type { ConformanceCase } from '../case.js';
import { expect, expectEqual, expectRejection, expectSettled } from '../expect.js';
import { options, withEmbedder, type EmbedderSubject } from './subject.js';
import { dot, expectSame, expectUnit, vectorOf } from './vectors.js';

const texts = [
  'The cat sat on the mat by the door.',
  'Quarterly revenue grew by eleven percent.',
  'Install the package with npm, then start the server.',
  'Wings generate lift as air flows over them.',
];
const oddTexts = [
  '???',
  '😀🏴',
  '語の例文です。',
  '\u0000\n\t x',
  'long words in a row '.repeat(150),
  '\ud800 half a pair',
];
/** The minimum number of texts. */
const lessons = Array.from({ length: 256 }, (_, at) => `${texts[at % texts.length]} Part ${at}.`);
const largeBatch = 300;
const maxSettleMs = 3000;

/** Requirements on every embedder. */
export const embedderCases: readonly ConformanceCase<EmbedderSubject>[] = [
  {
    id: 'names-itself',
    title: 'has a model, a positive whole dimension and a nature',
    run: ({ create }) =>
      withEmbedder(create, async ({ model, dimension, nature }) => {
        expect(typeof model === 'string' && model.trim() !== '', 'model: must not be blank');
        expect(
          Number.isSafeInteger(dimension) && dimension > 0,
          'dimension: must be a whole number above 0',
        );
        expect(
          nature === 'lexical' || nature === 'semantic',
          'nature: must be lexical or semantic',
        );
      }),
  },
  {
    id: 'one-vector-per-text',
    title: 'returns one vector per text, even for equal texts',
    run: ({ create }) =>
      withEmbedder(create, async (embedder) => {
        const [first = ''] = texts;
        const vectors = await embedder.embed([first, first, ...texts], options());
        expectEqual(vectors.length, texts.length + 2, 'number of vectors');
      }),
  },
  {
    id: 'nothing-for-nothing',
    title: 'returns no vectors for no texts',
    run: ({ create }) =>
      withEmbedder(create, async (embedder) => {
        expectEqual((await embedder.embed([], options())).length, 0, 'number of vectors');
      }),
  },
  {
    id: 'stated-dimension',
    title: 'returns vectors of its dimension',
    run: ({ create }) =>
      withEmbedder(create, async (embedder) => {
        for (const vector of await embedder.embed(texts, options())) {
          expect(vector instanceof Float32Array, 'a vector must be a Float32Array');
          expectEqual(vector.length, embedder.dimension, 'dimension of a vector');
        }
      }),
  },
  {
    id: 'unit-length',
    title: 'returns vectors of length 1',
    run: ({ create }) =>
      withEmbedder(create, async (embedder) => {
        const vectors = await embedder.embed(texts, options());
        vectors.forEach((vector, at) => expectUnit(vector, `vector ${at}`));
      }),
  },
  {
    id: 'in-order',
    title: 'returns vectors in the order of the texts',
    run: ({ create }) =>
      withEmbedder(create, async (embedder) => {
        const alone = await inTurn(texts, (text) => vectorOf(embedder, text));
        const together = await embedder.embed(texts, options());
        alone.forEach((vector, at) =>
          expectSame(vector, together[at], `text ${at}, alone and in a batch`),
        );
      }),
  },
  {
    id: 'known-terms',
    title: 'returns the same vectors when given the terms of the texts',
    run: ({ create }) =>
      withEmbedder(create, async (embedder) => {
        const vectors = await embedder.embed(texts, options());
        const terms = texts.map((text) => analyze(text));
        const told = await embedder.embed(texts, { ...options(), terms });
        vectors.forEach((vector, at) =>
          expectSame(vector, told[at], `text ${at}, without its terms and with them`),
        );
      }),
  },
  {
    id: 'repeatable',
    title: 'returns the same vector for the same text, even from another embedder',
    run: async ({ create }) => {
      const [text = ''] = texts;
      const vectors: Float32Array[] = [];
      await withEmbedder(
        create,
        async (embedder) => void vectors.push(await vectorOf(embedder, text)),
      );
      await withEmbedder(
        create,
        async (embedder) => void vectors.push(await vectorOf(embedder, text)),
      );
      expectSame(vectors[0], vectors[1], 'the same text twice');
    },
  },
  {
    id: 'odd-texts',
    title: 'embeds texts without words, in other scripts, with control characters, and long ones',
    run: ({ create }) =>
      withEmbedder(create, async (embedder) => {
        const vectors = await embedder.embed(oddTexts, options());
        oddTexts.forEach((_, at) => expectUnit(vectors[at], `odd text ${at}`));
      }),
  },
  {
    id: 'large-batch',
    title: `accepts ${largeBatch} texts in one call`,
    run: ({ create }) =>
      withEmbedder(create, async (embedder) => {
        const many = Array.from(
          { length: largeBatch },
          (_, at) => `Entry number ${at} of the catalogue ${at * 7919}`,
        );
        const vectors = await embedder.embed(many, options());
        expectEqual(vectors.length, largeBatch, 'number of vectors');
        expectSame(vectors.at(-1), await vectorOf(embedder, many.at(-1) ?? ''), 'the last text');
      }),
  },
  {
    id: 'question-finds-text',
    title: 'places a question nearer to its answer than to other texts',
    run: ({ create }) =>
      withEmbedder(create, async (embedder) => {
        const question = await vectorOf(embedder, 'How much lift do wings generate?', 'query');
        const scores = (await embedder.embed(texts, options())).map((vector) =>
          dot(question, vector),
        );
        expectEqual(scores.indexOf(Math.max(...scores)), texts.length - 1, 'nearest text');
      }),
  },
  {
    id: 'concurrent-calls',
    title: 'separates concurrent calls',
    run: ({ create }) =>
      withEmbedder(create, async (embedder) => {
        const alone = await inTurn(texts, (text) => vectorOf(embedder, text));
        const atOnce = await Promise.all(texts.map((text) => vectorOf(embedder, text)));
        alone.forEach((vector, at) =>
          expectSame(vector, atOnce[at], `text ${at}, alone and at once`),
        );
      }),
  },
  {
    id: 'aborted-before',
    title: 'rejects a call with an aborted signal',
    run: ({ create }) =>
      withEmbedder(create, async (embedder) => {
        const call = embedder.embed(texts, options('document', AbortSignal.abort()));
        await expectSettled(call, maxSettleMs, 'a call with an aborted signal');
        await expectRejection(call, 'a call with an aborted signal');
      }),
  },
  {
    id: 'aborted-during',
    title: 'ends soon after an abort and continues to work',
    run: ({ create }) =>
      withEmbedder(create, async (embedder) => {
        const controller = new AbortController();
        const call = embedder.embed(texts, options('document', controller.signal));
        controller.abort();
        await expectSettled(call, maxSettleMs, 'an aborted call');
        expectEqual(
          (await embedder.embed(texts, options())).length,
          texts.length,
          'vectors after an abort',
        );
      }),
  },
  {
    id: 'training-is-deterministic',
    title: 'learns the same bytes from the same texts, if trainable',
    run: ({ create }) =>
      withEmbedder(create, async (embedder) => {
        const { signal } = options();
        const [one, other] = [
          await embedder.train?.(lessons, { signal }),
          await embedder.train?.(lessons, { signal }),
        ];
        if (one === undefined || other === undefined) return;
        expect(one instanceof Uint8Array && one.length > 0, 'the trained state must be bytes');
        expect(Buffer.from(one).equals(Buffer.from(other)), 'the trained state must be the same');
      }),
  },
  {
    id: 'embeds-with-trained-state',
    title: 'returns unit vectors of its dimension with trained state in shared memory',
    run: ({ create }) =>
      withEmbedder(create, async (embedder) => {
        const learned = await embedder.train?.(lessons, { signal: options().signal });
        if (learned === undefined) return;
        const state = new Uint8Array(new SharedArrayBuffer(learned.length));
        state.set(learned);
        const trainedState = { id: 'lessons', state };
        const vectors = await embedder.embed(texts, { ...options(), trainedState });
        expectEqual(vectors.length, texts.length, 'number of vectors');
        vectors.forEach((vector, at) => {
          expectEqual(vector.length, embedder.dimension, 'dimension of a vector');
          expectUnit(vector, `vector ${at}`);
        });
        const [without, again] = [
          await embedder.embed(texts, options()),
          await embedder.embed(texts, { ...options(), trainedState }),
        ];
        expectSame(vectors[0], again[0], 'a text, before and after one without what was learned');
        expect(without.length === texts.length, 'it must also embed without trained state');
      }),
  },
  {
    id: 'closed-twice',
    title: 'can be closed twice',
    run: async ({ create }) => {
      const embedder = await create();
      await embedder.close?.();
      await embedder.close?.();
    },
  },
];

/** Runs one call at a time. */
async function inTurn<T>(
  items: readonly string[],
  run: (item: string) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  for (const item of items) results.push(await run(item));
  return results;
}
