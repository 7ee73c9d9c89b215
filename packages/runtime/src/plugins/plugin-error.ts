import { inspect } from 'node:util';
import { isErrorCode, isTroveError, TroveError, type ErrorCode } from '@trove/core';
import type { Redact } from './redact.js';

const maxMessageChars = 2000;
const maxSuggestions = 10;
const maxCauseDepth = 5;

/** Codes about the server itself, which would mislead if anything but its own store or index used them. */
const serverCodes: ReadonlySet<ErrorCode> = new Set([
  'unauthorized',
  'host_not_allowed',
  'sync_already_running',
  'connector_removing',
  'connector_already_registered',
  'index_mismatch',
  'engine_closed',
  'storage_unavailable',
  'disk_full',
  'internal_error',
  'cancelled',
]);

export interface ErrorRules {
  /** For messages: `connector file`. */
  readonly name: string;
  /** The code for errors that are not ours; a plugin's own coded errors keep theirs. */
  readonly errorCode: ErrorCode;
  readonly redact: Redact;
}

/** Turns whatever a plugin threw into an error of ours: coded, bounded and free of secrets. */
export function toPluginError(error: unknown, method: string, rules: ErrorRules): TroveError {
  try {
    return translate(error, method, rules);
  } catch {
    // Even inspecting it throws.
    return new TroveError(rules.errorCode, `${rules.name}: ${method} failed with what is no error`);
  }
}

function translate(error: unknown, method: string, rules: ErrorRules): TroveError {
  const { name, errorCode, redact } = rules;
  const ofSource = errorCode === 'connector_unhealthy';
  const code = codeOf(error, errorCode);
  if (isTroveError(error) && code !== null) {
    return new TroveError(code, sanitize(error.message, redact), {
      suggestions: suggestionsOf(error.suggestions, redact),
      ...pluginCodeOf(error.pluginCode),
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

/** Describes a thrown value that is not an `Error`: text unchanged, other values as `inspect` shows them. */
function describeThrown(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown;
  return inspect(thrown, { customInspect: false, depth: 1, breakLength: Infinity });
}

/**
 * A code of ours that a plugin in plain JavaScript may have set on its error; a source's missing file is `not_found`.
 */
function codeOf(error: unknown, errorCode: ErrorCode): ErrorCode | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  const { code } = error;
  const isStorage = errorCode === 'storage_unavailable';
  if (isErrorCode(code)) return !isStorage && serverCodes.has(code) ? null : code;
  return errorCode === 'connector_unhealthy' && code === 'ENOENT' ? 'not_found' : null;
}

function suggestionsOf(given: unknown, redact: Redact): string[] {
  if (!Array.isArray(given)) return [];
  return given.slice(0, maxSuggestions).map((text: unknown) => sanitize(text, redact));
}

/** Anything but a key, a dot and a word is no code. */
function pluginCodeOf(code: unknown): { pluginCode?: string } {
  const isCode = typeof code === 'string' && /^[a-z][a-z0-9+-]{0,60}\.[a-z0-9_]{1,60}$/.test(code);
  return isCode ? { pluginCode: code } : {};
}

function pauseOf(ms: unknown): { retryAfterMs?: number } {
  return typeof ms === 'number' && ms >= 0 && Number.isFinite(ms) ? { retryAfterMs: ms } : {};
}

/** A copy for logs: errors of HTTP clients carry whole requests, including headers. */
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
