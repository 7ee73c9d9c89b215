import { TroveError, isErrorCode, isTroveError } from '@trove/core';

import type { WireError } from './protocol.js';

export function toWire(error: unknown): WireError {
  if (isTroveError(error)) {
    const { code, detail, suggestions, retryable } = error;
    return { code, detail, suggestions, retryable };
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: null, detail, suggestions: [], retryable: false };
}

export function fromWire({ code, detail, suggestions, retryable }: WireError): Error {
  if (!isErrorCode(code)) return new Error(detail);
  return new TroveError(code, detail, { suggestions, retryable });
}
