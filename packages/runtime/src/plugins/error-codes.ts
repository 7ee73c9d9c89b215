import { distance } from 'fastest-levenshtein';
import { errorCatalogue, isErrorCode, type ErrorCode } from '@trove/core';
import { findNearest } from '../validation.js';

/** A foreign code with more edits is another code. */
const maxEdits = 2;

/** Codes about the server itself. Only its own store and index may use them. */
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

/** Whether a code is about the server itself, not about a source or an object. */
export function isServerCode(code: ErrorCode): boolean {
  return serverCodes.has(code);
}

/** Describes why a plugin cannot use an error code, in the terms of its author. Null if it can. */
export function errorCodeProblem(code: unknown): string | null {
  if (isErrorCode(code) && isServerCode(code))
    return `the error code \`${code}\` is about the server itself`;
  return unknownCodeProblem(code);
}

/** Describes why a value is no error code, in the terms of the author of a plugin. Null if it is one. */
export function unknownCodeProblem(code: unknown): string | null {
  if (isErrorCode(code)) return null;
  if (typeof code !== 'string') return `the error code is a ${typeof code}, not a string`;
  const near = nearestCode(code);
  const advice = near === null ? '' : `. Did you mean \`${near}\`?`;
  return `there is no error code \`${code.slice(0, 100)}\`${advice}`;
}

/**
 * Describes the misspelling of an error code in a foreign error. Null for any other code, because drivers have codes of
 * their own.
 */
export function misspeltCodeProblem(code: unknown): string | null {
  if (typeof code !== 'string' || isErrorCode(code) || !/^[a-z]+(?:_[a-z]+)+$/.test(code))
    return null;
  const near = nearestCode(code);
  return near !== null && distance(code, near) <= maxEdits ? unknownCodeProblem(code) : null;
}

/** Describes the problem of a plugin's own code (`slack.missing_scope`). Null if there is none. */
export function ownCodeProblem(code: unknown): string | null {
  if (code === undefined) return null;
  if (typeof code === 'string' && /^[a-z][a-z0-9+-]{0,60}\.[a-z0-9_]{1,60}$/.test(code))
    return null;
  const given = (typeof code === 'string' ? code : typeof code).slice(0, 100);
  return `\`pluginCode\` must be a key of the plugin, a dot and a word, and is \`${given}\``;
}

/** Returns the error code of plugins that is closest to a misspelt one, or null if none is close. */
function nearestCode(code: string): string | null {
  const known = Object.keys(errorCatalogue).filter(isErrorCode);
  return findNearest(
    code,
    known.filter((each) => !isServerCode(each)),
  );
}
