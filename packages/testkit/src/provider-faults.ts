import { inspect } from 'node:util';
import { isTroveError, type ErrorCode } from '@trove/core';

import type { ConformanceCase } from './case.js';
import { expect, expectError, expectRejection } from './expect.js';

type ProviderFault = 'auth' | 'quota' | 'unreachable';

interface ProviderSuite<S> {
  /** The error codes for a rejected key and an exhausted quota. */
  readonly codes: { readonly auth: ErrorCode; readonly quota: ErrorCode };
  /** Calls the failing provider and passes the call to `judge`. */
  readonly fail: (
    subject: S,
    fault: ProviderFault,
    judge: (call: Promise<unknown>) => Promise<void>,
  ) => Promise<void>;
}

/** Requirements on a plugin whose provider fails. */
export function providerFaultCases<S extends { readonly secret: string }>({
  codes,
  fail,
}: ProviderSuite<S>): readonly ConformanceCase<S>[] {
  return [
    {
      id: 'auth-failed',
      title: `throws ${codes.auth}, not retryable, for a rejected key`,
      run: (subject) =>
        fail(subject, 'auth', async (call) => {
          const error = await expectError(call, codes.auth, 'a rejected key');
          expect(!error.retryable, 'a rejected key: must not be retryable');
        }),
    },
    {
      id: 'quota-exceeded',
      title: `throws ${codes.quota}, not retryable, for an exhausted quota`,
      run: (subject) =>
        fail(subject, 'quota', async (call) => {
          const error = await expectError(call, codes.quota, 'an exhausted quota');
          expect(!error.retryable, 'an exhausted quota: must not be retryable');
        }),
    },
    {
      id: 'unreachable',
      title: 'throws a retryable error for an unreachable provider',
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
