import type { Reranker } from '@trove/core/model';

import type { ConformanceCase } from '../case.js';
import { expectEqual, expectError } from '../expect.js';
import { providerFaultCases } from '../provider-faults.js';
import { rerankOptions, withReranker, type FaultyRerankerSubject } from './subject.js';

const good = ['A first text.', 'A second one.'];

/** Requirements on a reranker whose provider fails. */
export const rerankerFaultCases: readonly ConformanceCase<FaultyRerankerSubject>[] = [
  ...providerFaultCases<FaultyRerankerSubject>({
    codes: { auth: 'llm_auth_failed', quota: 'llm_quota_exceeded' },
    fail: ({ createFaulty }, fault, judge) =>
      withReranker(
        () => createFaulty(fault),
        (reranker) => judge(rerank(reranker)),
      ),
  }),
  {
    id: 'refused-text',
    title: 'throws validation_error for a refused text and then scores others',
    run: ({ create, refusedText }) =>
      withReranker(create, async (reranker) => {
        await expectError(
          rerank(reranker, [...good, refusedText]),
          'validation_error',
          'a refused text',
        );
        expectEqual((await rerank(reranker)).length, good.length, 'scores of other texts');
      }),
  },
];

function rerank(reranker: Reranker, texts: readonly string[] = good): Promise<readonly number[]> {
  return reranker.rerank('Which is first?', texts, rerankOptions());
}
