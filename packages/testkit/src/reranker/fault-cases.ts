import { inspect } from 'node:util';
import { isTroveError } from '@trove/core';
import type { Reranker } from '@trove/core/model';

import type { ConformanceCase } from '../case.js';
import { expect, expectEqual, expectError, expectRejection } from '../expect.js';
import { rerankOptions, withReranker, type FaultyRerankerSubject } from './subject.js';

const good = ['A first text.', 'A second one.'];

/** How a reranker that calls a provider must behave when the provider fails. */
export const rerankerFaultCases: readonly ConformanceCase<FaultyRerankerSubject>[] = [
  {
    id: 'auth-failed',
    title: 'says llm_auth_failed, not retryable, when the key is refused',
    run: ({ createFaulty }) =>
      withReranker(
        () => createFaulty('auth'),
        async (reranker) => {
          const error = await expectError(rerank(reranker), 'llm_auth_failed', 'a refused key');
          expect(!error.retryable, 'a refused key: must not be retryable');
        },
      ),
  },
  {
    id: 'quota-exceeded',
    title: 'says llm_quota_exceeded, not retryable, when the quota is used up',
    run: ({ createFaulty }) =>
      withReranker(
        () => createFaulty('quota'),
        async (reranker) => {
          const error = await expectError(
            rerank(reranker),
            'llm_quota_exceeded',
            'a used-up quota',
          );
          expect(!error.retryable, 'a used-up quota: must not be retryable');
        },
      ),
  },
  {
    id: 'unreachable',
    title: 'throws a retryable error when the provider cannot be reached',
    run: ({ createFaulty }) =>
      withReranker(
        () => createFaulty('unreachable'),
        async (reranker) => {
          const error = await expectRejection(rerank(reranker), 'an unreachable provider');
          expect(
            isTroveError(error) && error.retryable,
            'an unreachable provider: must be retryable',
          );
        },
      ),
  },
  {
    id: 'refused-text',
    title: 'says validation_error when a text is refused, and judges others afterwards',
    run: ({ create, refusedText }) =>
      withReranker(create, async (reranker) => {
        await expectError(
          rerank(reranker, [...good, refusedText]),
          'validation_error',
          'a refused text',
        );
        expectEqual((await rerank(reranker)).length, good.length, 'numbers of other texts');
      }),
  },
  {
    id: 'keeps-its-secret',
    title: 'never shows its key in an error',
    run: async ({ createFaulty, secret }) => {
      for (const fault of ['auth', 'quota', 'unreachable'] as const) {
        await withReranker(
          () => createFaulty(fault),
          async (reranker) => {
            const error = await expectRejection(rerank(reranker), fault);
            const shown = inspect(error, { depth: 10, showHidden: true });
            expect(!shown.includes(secret), `${fault}: the error shows the key`);
          },
        );
      }
    },
  },
];

function rerank(reranker: Reranker, texts: readonly string[] = good): Promise<readonly number[]> {
  return reranker.rerank('Which is first?', texts, rerankOptions());
}
