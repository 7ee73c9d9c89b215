import type { ErrorCode } from '../error-catalogue.js';
import { isTroveError, TroveError } from '../errors.js';
import { retryAfterMs } from './retry-after.js';

const maxMessageLength = 300;
/** Statuses besides 5xx that a retry may resolve. */
const retryableStatuses = new Set([408, 409, 425, 429]);
/** Statuses meaning that this input cannot be used. */
const badInputStatuses = new Set([400, 413, 422]);

/** Names, codes and remedies for the failures of a provider's API. */
export interface ProviderErrorOptions {
  /** The name of the API in messages: `The embedding API`. */
  readonly name: string;
  readonly codes: {
    readonly auth: ErrorCode;
    readonly quota: ErrorCode;
    readonly unavailable: ErrorCode;
  };
  /** The kind of input, for messages about a rejected input: `a text`. */
  readonly input: string;
  /** Remedies for a rejected input, an unknown address or model, and an unreachable API. Default: the code's remedy. */
  readonly advice?: {
    readonly input?: string;
    readonly unknown?: string;
    readonly unreachable?: string;
  };
}

/** Converts an error response to an error. `body` is its text, in any format. */
export function errorOfResponse(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  body: string,
  { name, codes, input, advice = {} }: ProviderErrorOptions,
): TroveError {
  const { message, code, param } = describeError(body);
  const detail = (meaning: string): string =>
    `${name} ${meaning} (HTTP ${status})${message === '' ? '' : `: ${message}`}`;
  if (status === 401 || status === 403) {
    return new TroveError(codes.auth, detail('refused the API key'));
  }
  if (status === 402 || (status === 429 && code === 'insufficient_quota')) {
    return new TroveError(codes.quota, detail('reports an exhausted quota'));
  }
  if (status >= 500 || retryableStatuses.has(status)) {
    const wait = retryAfterMs(headers);
    return new TroveError(codes.unavailable, detail('could not answer'), {
      retryable: true,
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
    });
  }
  if (badInputStatuses.has(status)) {
    return new TroveError('validation_error', detail(`refused ${input}`), {
      ...suggest(advice.input),
      ...(param === '' ? {} : { cause: new RefusedParameter(param, message) }),
    });
  }
  return new TroveError(
    'config_invalid',
    detail('does not know the address or the model'),
    suggest(advice.unknown),
  );
}

/** The cause of a `validation_error` about one parameter of the request. */
class RefusedParameter extends Error {
  readonly param: string;

  constructor(param: string, message: string) {
    super(message);
    this.param = param;
  }
}

/** Returns the parameter that a provider rejected (`error.param`). Null without one. */
export function refusedParameter(error: unknown): string | null {
  const cause = isTroveError(error) ? error.cause : undefined;
  return cause instanceof RefusedParameter ? cause.param : null;
}

/** Converts a failed connection or truncated response to an error. */
export function unreachableError(
  cause: unknown,
  { name, codes, advice }: ProviderErrorOptions,
): TroveError {
  const reason = cause instanceof Error ? rootCause(cause).message : String(cause);
  return new TroveError(codes.unavailable, `${name} cannot be reached: ${reason}`, {
    cause,
    retryable: true,
    ...suggest(advice?.unreachable),
  });
}

function suggest(text: string | undefined): { suggestions?: string[] } {
  return text === undefined ? {} : { suggestions: [text] };
}

/** `fetch` reports only "fetch failed". Its cause has the reason. */
function rootCause(error: Error): Error {
  return error.cause instanceof Error ? rootCause(error.cause) : error;
}

/** Reads `{"error":{"message","code","type","param"}}`, `{"error":"…"}`, `{"message":"…"}` or `{"detail":"…"}`. */
export function describeError(body: string): {
  message: string;
  code: string;
  param: string;
} {
  const value = parseJson(body);
  const error = member(value, 'error') ?? value;
  const message = [error, member(error, 'message'), member(error, 'detail')].find(isText) ?? '';
  const code = [member(error, 'code'), member(error, 'type')].find(
    (name) => name === 'insufficient_quota',
  );
  const param = member(error, 'param');
  return {
    message: message.slice(0, maxMessageLength),
    code: isText(code) ? code : '',
    param: isText(param) ? param : '',
  };
}

function parseJson(body: string): unknown {
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
