import { isTroveError, TroveError } from '@trove/core';

const replacedDetail = 'The source was removed or changed during the call.';

/** The error of a connector that was closed because its source was removed or reconfigured. */
export function replacedError(): TroveError {
  return new TroveError('connector_unhealthy', replacedDetail, {
    suggestions: ['Ask again.'],
    retryable: true,
  });
}

export function isReplaced(error: unknown): boolean {
  return isTroveError(error) && error.message === replacedDetail;
}
