import { inspect } from 'node:util';
import {
  isErrorCode,
  isTroveError,
  messageOf,
  TroveError,
  type ErrorCode,
  type TroveErrorOptions,
} from '@trove/core';
import {
  isServerCode,
  misspeltCodeProblem,
  ownCodeProblem,
  unknownCodeProblem,
} from './error-codes.js';
import type { Redact } from './redact.js';

const maxMessageChars = 2000;
const maxSuggestions = 10;
const maxCauseDepth = 5;

export interface ErrorRules {
  /** Named in messages: `connector file`. */
  readonly name: string;
  /** The code of errors without a code of their own. */
  readonly errorCode: ErrorCode;
  readonly redact: Redact;
}

/** Creates an error for a plugin to throw. With an invalid code, it is `plugin_invalid` and names the plugin. */
export function createError(
  name: string,
  code: ErrorCode,
  detail: string,
  options?: TroveErrorOptions,
): TroveError {
  const problem = unknownCodeProblem(code) ?? ownCodeProblem(options?.pluginCode);
  if (problem === null) return new TroveError(code, detail, options);
  return invalidError(`${name}: context.error`, problem, detail);
}

/** `place`: the plugin and the member at fault. */
function invalidError(place: string, problem: string, detail: string, cause?: Error): TroveError {
  return new TroveError(
    'plugin_invalid',
    `${place}: ${problem} (message: ${detail})`,
    cause === undefined ? {} : { cause },
  );
}

/** Converts any thrown value to a `TroveError` without secrets and of limited length. */
export function toPluginError(error: unknown, method: string, rules: ErrorRules): TroveError {
  try {
    return translate(error, method, rules);
  } catch {
    // Even inspecting the value throws.
    return new TroveError(
      rules.errorCode,
      `${rules.name}: ${method} failed with a value that is not an error`,
    );
  }
}

function translate(error: unknown, method: string, rules: ErrorRules): TroveError {
  const { name, errorCode, redact } = rules;
  const ofSource = errorCode === 'connector_unhealthy';
  const code = codeOf(error, errorCode);
  const problem = codeProblem(error);
  if (problem !== null) {
    const detail = sanitize(messageOf(error), redact);
    return invalidError(`${name}: ${method}`, problem, detail, redactError(error, redact));
  }
  if (isTroveError(error) && code !== null) {
    return new TroveError(code, sanitize(error.message, redact), {
      suggestions: suggestionsOf(error.suggestions, redact),
      ...(error.pluginCode === undefined ? {} : { pluginCode: error.pluginCode }),
      retryable: error.retryable,
      ...pauseOf(error.retryAfterMs),
      ...(error.cause === undefined ? {} : { cause: redactError(error.cause, redact) }),
    });
  }
  const message = error instanceof Error ? error.message : describeThrown(error);
  return new TroveError(
    code ?? errorCode,
    `${name}: ${method} failed: ${sanitize(message, redact)}`,
    {
      cause: redactError(error, redact),
      retryable: ofSource,
    },
  );
}

/** Describes a thrown value that is not an `Error`. Strings stay unchanged. */
function describeThrown(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown;
  return inspect(thrown, { customInspect: false, depth: 1, breakLength: Infinity });
}

/**
 * Returns the error's code if it is one of ours, which a plugin in plain JavaScript may have set. The ENOENT of
 * a connector becomes `not_found`.
 */
function codeOf(error: unknown, errorCode: ErrorCode): ErrorCode | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  const { code } = error;
  const isStorage = errorCode === 'storage_unavailable';
  if (isErrorCode(code)) return !isStorage && isServerCode(code) ? null : code;
  return errorCode === 'connector_unhealthy' && code === 'ENOENT' ? 'not_found' : null;
}

function suggestionsOf(given: unknown, redact: Redact): string[] {
  if (!Array.isArray(given)) return [];
  return given.slice(0, maxSuggestions).map((text: unknown) => sanitize(text, redact));
}

/** Describes the problem of a thrown error's code. Null if there is none. */
function codeProblem(error: unknown): string | null {
  if (isTroveError(error))
    return unknownCodeProblem(error.code) ?? ownCodeProblem(error.pluginCode);
  return error instanceof Error && 'code' in error ? misspeltCodeProblem(error.code) : null;
}

function pauseOf(ms: unknown): { retryAfterMs?: number } {
  return typeof ms === 'number' && ms >= 0 && Number.isFinite(ms) ? { retryAfterMs: ms } : {};
}

/** Copies an error for logs without secrets. Errors of HTTP clients contain whole requests with headers. */
export function redactError(error: unknown, redact: Redact, depth = 0): Error {
  if (!(error instanceof Error)) return new Error(sanitize(describeThrown(error), redact));
  const copy = new Error(sanitize(error.message, redact));
  copy.name = sanitize(error.name, redact);
  copy.stack = sanitize(error.stack, redact);
  if (error.cause !== undefined && depth < maxCauseDepth)
    copy.cause = redactError(error.cause, redact, depth + 1);
  return copy;
}

function sanitize(text: unknown, redact: Redact): string {
  return redact(text).slice(0, maxMessageChars);
}
