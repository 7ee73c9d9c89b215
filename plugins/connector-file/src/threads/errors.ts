import { TroveError, isErrorCode, isTroveError } from '@trove/core';

/** An error as sent between threads, because messages lose classes and symbols. */
export interface WireError {
  readonly code: string | null;
  readonly detail: string;
  readonly suggestions: readonly string[];
  readonly retryable: boolean;
  /** Stack of a foreign error, for the log. */
  readonly stack?: string;
}

export function toWire(error: unknown): WireError {
  if (isTroveError(error)) {
    const { code, detail, suggestions, retryable } = error;
    return { code, detail, suggestions, retryable };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const plain = { code: null, detail: message, suggestions: [], retryable: false };
  return stack === undefined ? plain : { ...plain, stack };
}

export function fromWire({ code, detail, suggestions, retryable, stack }: WireError): Error {
  if (!isErrorCode(code)) {
    const error = new Error(detail);
    if (stack !== undefined) error.stack = stack;
    return error;
  }
  return new TroveError(code, detail, { suggestions, retryable });
}
