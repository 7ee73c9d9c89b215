import { TroveError } from '@trove/core';

import { retryAfterMs } from './retry-after.js';

const MESSAGE_LENGTH = 300;
/** Statuses besides 5xx that a retry may resolve. */
const passing = new Set([408, 409, 425, 429]);
/** Statuses meaning that this input cannot be embedded. */
const badInput = new Set([400, 413, 422]);

/** What an error response means to the caller. `body` is its text, in whatever format. */
export function failureOf(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  body: string,
): TroveError {
  const { message, code } = readError(body);
  const detail = (meaning: string): string =>
    `The embedding API ${meaning} (HTTP ${status})${message === '' ? '' : `: ${message}`}`;
  if (status === 401 || status === 403) {
    return new TroveError('embedding_auth_failed', detail('refused the API key'));
  }
  if (status === 402 || (status === 429 && code === 'insufficient_quota')) {
    return new TroveError('embedding_quota_exceeded', detail('reports an exhausted quota'));
  }
  if (status >= 500 || passing.has(status)) {
    const wait = retryAfterMs(headers);
    return new TroveError('embedding_unavailable', detail('could not answer'), {
      retryable: true,
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
    });
  }
  if (badInput.has(status)) {
    return new TroveError('validation_error', detail('refused a text'), {
      suggestions: ['Set `[ingest].chunk_chars` lower when the model takes shorter texts only.'],
    });
  }
  return new TroveError('config_invalid', detail('does not know the address or the model'), {
    suggestions: ['Check `base_url`, which usually ends in /v1, and `model`.'],
  });
}

/** The provider could not be reached, or its response was cut short. */
export function unreachable(cause: unknown): TroveError {
  const reason = cause instanceof Error ? deepest(cause).message : String(cause);
  return new TroveError('embedding_unavailable', `The embedding API cannot be reached: ${reason}`, {
    cause,
    retryable: true,
  });
}

/** `fetch` says only "fetch failed"; the reason is in the cause. */
function deepest(error: Error): Error {
  return error.cause instanceof Error ? deepest(error.cause) : error;
}

/** `{"error":{"message","code","type"}}`, `{"error":"…"}`, `{"message":"…"}` or `{"detail":"…"}`. */
function readError(body: string): { message: string; code: string } {
  const value = parse(body);
  const error = member(value, 'error') ?? value;
  const message = [error, member(error, 'message'), member(error, 'detail')].find(isText) ?? '';
  const code = [member(error, 'code'), member(error, 'type')].find(
    (name) => name === 'insufficient_quota',
  );
  return { message: message.slice(0, MESSAGE_LENGTH), code: isText(code) ? code : '' };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
