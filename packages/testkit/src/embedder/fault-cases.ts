import { isTroveError } from '@trove/core';
import type { Embedder } from '@trove/core/model';

import type { ConformanceCase } from '../case.js';
import { expect, expectEqual, expectRejection } from '../expect.js';
import { providerFaultCases } from '../provider-faults.js';
import { options, withEmbedder, type FaultyEmbedderSubject } from './subject.js';

const good = ['A first text.', 'A second one.'];

/** Requirements on an embedder whose provider fails. */
export const embedderFaultCases: readonly ConformanceCase<FaultyEmbedderSubject>[] = [
  ...providerFaultCases<FaultyEmbedderSubject>({
    codes: { auth: 'embedding_auth_failed', quota: 'embedding_quota_exceeded' },
    fail: ({ createFaulty }, fault, judge) =>
      withEmbedder(
        () => createFaulty(fault),
        (embedder) => judge(embed(embedder)),
      ),
  }),
  {
    id: 'refused-text',
    title: 'rejects a refused text with a final error that blames neither key nor quota',
    run: ({ create, refusedText }) =>
      withEmbedder(create, async (embedder) => {
        const error = await expectRejection(
          embed(embedder, [...good, refusedText]),
          'a refused text',
        );
        expect(isTroveError(error), 'a refused text: must be a TroveError');
        expect(!error.retryable, 'a refused text: must not be retryable');
        expect(
          error.code !== 'embedding_auth_failed' && error.code !== 'embedding_quota_exceeded',
          `a refused text: must not be ${error.code}, which ends the whole job`,
        );
      }),
  },
  {
    id: 'neighbours-of-refused-text',
    title: 'embeds the other texts of a batch without the refused one',
    run: ({ create, refusedText }) =>
      withEmbedder(create, async (embedder) => {
        await embed(embedder, [...good, refusedText]).catch(() => []);
        expectEqual((await embed(embedder)).length, good.length, 'vectors of the neighbours');
      }),
  },
];

function embed(embedder: Embedder, texts: readonly string[] = good): Promise<Float32Array[]> {
  return embedder.embed(texts, options());
}
