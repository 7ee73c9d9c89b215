import type { ConformanceCase } from '../case.js';
import { expect, expectEqual, expectRejection, expectSettled } from '../expect.js';
import { rerankOptions, withReranker, type RerankerSubject } from './subject.js';

const question = 'How much lift do wings generate?';
const texts = [
  'The cat sat on the mat by the door.',
  'Wings generate lift as air flows over them.',
  'Quarterly revenue grew by eleven percent.',
];
const answering = 1;
const oddTexts = [
  '',
  '😀🏴',
  '語の例文です。',
  '\u0000\n\t x',
  'long words '.repeat(500),
  '\ud800 half a pair',
];
const textCount = 100;
const maxSettleMs = 3000;

/** Requirements on every reranker. */
export const rerankerCases: readonly ConformanceCase<RerankerSubject>[] = [
  {
    id: 'names-itself',
    title: 'has a model name',
    run: ({ create }) =>
      withReranker(create, async ({ model }) => {
        expect(typeof model === 'string' && model.trim() !== '', 'model: must not be blank');
      }),
  },
  {
    id: 'answering-text',
    title: 'gives the text that answers the question the highest score, in any position',
    run: ({ create }) =>
      withReranker(create, async (reranker) => {
        for (const given of [texts, [...texts].reverse()]) {
          const scores = await reranker.rerank(question, given, rerankOptions());
          const best = scores.indexOf(Math.max(...scores));
          expectEqual(given[best], texts[answering], 'the best text');
        }
      }),
  },
  {
    id: 'nothing-for-nothing',
    title: 'returns no scores for no texts',
    run: ({ create }) =>
      withReranker(create, async (reranker) => {
        const scores = await reranker.rerank(question, [], rerankOptions());
        expectEqual(scores.length, 0, 'scores for no texts');
      }),
  },
  {
    id: 'odd-texts',
    title: 'scores empty texts, other scripts, control characters and long texts',
    run: ({ create }) =>
      withReranker(create, async (reranker) => {
        const scores = await reranker.rerank('語 "?"', oddTexts, rerankOptions());
        expectEqual(scores.length, oddTexts.length, 'numbers');
        expect(scores.every(Number.isFinite), 'a score must be finite');
      }),
  },
  {
    id: 'many-texts',
    title: `judges ${textCount} texts in one call, in their order`,
    run: ({ create }) =>
      withReranker(create, async (reranker) => {
        const many = Array.from(
          { length: textCount },
          (_, at) => `Entry number ${at} of the catalogue`,
        );
        const scores = await reranker.rerank(question, [...many, ...texts], rerankOptions());
        expectEqual(scores.length, textCount + texts.length, 'numbers');
        expectEqual(
          scores.indexOf(Math.max(...scores)),
          textCount + answering,
          'position of the best text',
        );
      }),
  },
  {
    id: 'concurrent-calls',
    title: 'separates concurrent calls',
    run: ({ create }) =>
      withReranker(create, async (reranker) => {
        const given = [texts, texts.slice(0, -1), texts.slice(answering)];
        const all = await Promise.all(
          given.map((each) => reranker.rerank(question, each, rerankOptions())),
        );
        all.forEach((scores, at) => {
          const best = given[at]?.[scores.indexOf(Math.max(...scores))];
          expectEqual(best, texts[answering], `the best text of call ${at}`);
        });
      }),
  },
  {
    id: 'aborted-before',
    title: 'rejects a call with an aborted signal',
    run: ({ create }) =>
      withReranker(create, async (reranker) => {
        const call = reranker.rerank(question, texts, rerankOptions(AbortSignal.abort()));
        await expectSettled(call, maxSettleMs, 'a call with an aborted signal');
        await expectRejection(call, 'a call with an aborted signal');
      }),
  },
  {
    id: 'aborted-during',
    title: 'ends soon after an abort and continues to work',
    run: ({ create }) =>
      withReranker(create, async (reranker) => {
        const controller = new AbortController();
        const call = reranker.rerank(question, texts, rerankOptions(controller.signal));
        controller.abort();
        await expectSettled(call, maxSettleMs, 'an aborted call');
        const scores = await reranker.rerank(question, texts, rerankOptions());
        expectEqual(scores.length, texts.length, 'scores after an abort');
      }),
  },
  {
    id: 'closed-twice',
    title: 'can be closed twice',
    run: async ({ create }) => {
      const reranker = await create();
      await reranker.close?.();
      await reranker.close?.();
    },
  },
];
