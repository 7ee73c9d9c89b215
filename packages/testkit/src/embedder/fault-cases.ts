import { inspect } from 'node:util';
import { isTroveError } from '@trove/core';
import type { Embedder } from '@trove/core/model';

import type { ConformanceCase } from '../case.js';
import { expect, expectError, expectEqual, expectRejection } from '../expect.js';
import { options, withEmbedder, type FaultyEmbedderSubject } from './subject.js';

const good = ['A first text.', 'A second one.'];

/** How an embedder that calls a provider must behave when the provider fails. */
export const embedderFaultCases: readonly ConformanceCase<FaultyEmbedderSubject>[] = [
  {
    id: 'auth-failed',
    title: 'says embedding_auth_failed, not retryable, when the key is refused',
    run: ({ createFaulty }) =>
      withEmbedder(
        () => createFaulty('auth'),
        async (embedder) => {
          const error = await expectError(
            embed(embedder),
            'embedding_auth_failed',
            'a refused key',
          );
          expect(!error.retryable, 'a refused key: must not be retryable');
        },
      ),
  },
  {
    id: 'quota-exceeded',
    title: 'says embedding_quota_exceeded, not retryable, when the quota is used up',
    run: ({ createFaulty }) =>
      withEmbedder(
        () => createFaulty('quota'),
        async (embedder) => {
          const error = await expectError(
            embed(embedder),
            'embedding_quota_exceeded',
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
      withEmbedder(
        () => createFaulty('unreachable'),
        async (embedder) => {
          const error = await expectRejection(embed(embedder), 'an unreachable provider');
          expect(
            isTroveError(error) && error.retryable,
            'an unreachable provider: must be retryable',
          );
        },
      ),
  },
  {
    id: 'refused-text',
    title:
      'throws an error that is not retryable and blames no key or quota when a text is refused',
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
          `a refused text: must not be ${error.code}, which gives up the whole job`,
        );
      }),
  },
  {
    id: 'neighbours-of-refused-text',
    title: 'embeds the other texts of a batch once the refused one is left out',
    run: ({ create, refusedText }) =>
      withEmbedder(create, async (embedder) => {
        await embed(embedder, [...good, refusedText]).catch(() => []);
        expectEqual((await embed(embedder)).length, good.length, 'vectors of the neighbours');
      }),
  },
  {
    id: 'keeps-its-secret',
    title: 'never shows its key in an error',
    run: async ({ createFaulty, secret }) => {
      for (const fault of ['auth', 'quota', 'unreachable'] as const) {
        await withEmbedder(
          () => createFaulty(fault),
          async (embedder) => {
            const error = await expectRejection(embed(embedder), fault);
            const shown = inspect(error, { depth: 10, showHidden: true });
            expect(!shown.includes(secret), `${fault}: the error shows the key`);
          },
        );
      }
    },
  },
];

function embed(embedder: Embedder, texts: readonly string[] = good): Promise<Float32Array[]> {
  return embedder.embed(texts, options());
}
