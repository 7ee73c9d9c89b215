import { TroveError } from '@trove/core';

/** Throws the error of a plugin of this kind for a failure of its provider. */
export function throwFailure(
  failure: 'auth' | 'quota' | 'unreachable' | null | undefined,
  kind: 'embedding' | 'llm',
): void {
  if (failure === 'auth') throw new TroveError(`${kind}_auth_failed`, 'The key is refused.');
  if (failure === 'quota') throw new TroveError(`${kind}_quota_exceeded`, 'The quota is used up.');
  if (failure === 'unreachable') {
    throw new TroveError(`${kind}_unavailable`, 'The provider cannot be reached.', {
      retryable: true,
    });
  }
}
