import { errorCatalogue, isErrorCode, type ErrorCode } from '@trove/core';
import { findNearest } from '../validation.js';

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
  if (isErrorCode(code))
    return isServerCode(code) ? `the error code \`${code}\` is about the server itself` : null;
  if (typeof code !== 'string') return `the error code is a ${typeof code}, not a string`;
  const near = findNearest(
    code,
    Object.keys(errorCatalogue).filter((known) => isErrorCode(known) && !isServerCode(known)),
  );
  const advice = near === null ? '' : `. Did you mean \`${near}\`?`;
  return `there is no error code \`${code.slice(0, 100)}\`${advice}`;
}
