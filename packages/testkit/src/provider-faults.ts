import { inspect } from 'node:util';
import { isTroveError, type ErrorCode } from '@trove/core';

import type { ConformanceCase } from './case.js';
import { expect, expectError, expectRejection } from './expect.js';

type ProviderFault = 'auth' | 'quota' | 'unreachable';

interface ProviderSuite<S> {
  /** The codes of the errors for a refused key and an exhausted quota. */
  readonly codes: { readonly auth: ErrorCode; readonly quota: ErrorCode };
  /** Passes a call to `judge` that the provider fails. */
  readonly fail: (
    subject: S,
    fault: ProviderFault,
    judge: (call: Promise<unknown>) => Promise<void>,
  ) => Promise<void>;
}

/** How a plugin must report the failures of the provider that it calls. */
export function providerFaultCases<S extends { readonly secret: string }>({
  codes,
  fail,
}: ProviderSuite<S>): readonly ConformanceCase<S>[] {
  return [
    {
      id: 'auth-failed',
      title: `says ${codes.auth}, not retryable, when the key is refused`,
      run: (subject) =>
        fail(subject, 'auth', async (call) => {
          const error = await expectError(call, codes.auth, 'a refused key');
          expect(!error.retryable, 'a refused key: must not be retryable');
        }),
    },
    {
      id: 'quota-exceeded',
      title: `says ${codes.quota}, not retryable, when the quota is used up`,
      run: (subject) =>
        fail(subject, 'quota', async (call) => {
          const error = await expectError(call, codes.quota, 'a used-up quota');
          expect(!error.retryable, 'a used-up quota: must not be retryable');
        }),
    },
    {
      id: 'unreachable',
      title: 'throws a retryable error when the provider cannot be reached',
      run: (subject) =>
        fail(subject, 'unreachable', async (call) => {
          const error = await expectRejection(call, 'an unreachable provider');
          expect(
            isTroveError(error) && error.retryable,
            'an unreachable provider: must be retryable',
          );
        }),
    },
    {
      id: 'keeps-its-secret',
      title: 'never shows its key in an error',
      run: async (subject) => {
        for (const fault of ['auth', 'quota', 'unreachable'] as const) {
          await fail(subject, fault, async (call) => {
            const error = await expectRejection(call, fault);
            const shown = inspect(error, { depth: 10, showHidden: true });
            expect(!shown.includes(subject.secret), `${fault}: the error shows the key`);
          });
        }
      },
    },
  ];
}
