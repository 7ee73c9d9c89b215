import type { ErrorCode } from '@trove/core';
import type { Operation } from './operation.js';

/** Error codes of operations that open a plugin. */
export const pluginErrors = [
  'not_available',
  'plugin_not_exported',
  'plugin_failed_to_load',
  'plugin_invalid',
  'plugin_api_mismatch',
] as const satisfies readonly ErrorCode[];

/** Error codes of operations that open a source. */
export const sourceErrors = [
  'path_not_allowed',
  'credential_error',
  'config_invalid',
  ...pluginErrors,
] as const satisfies readonly ErrorCode[];

/** Error codes of every operation. */
const commonErrors: readonly ErrorCode[] = [
  'validation_error',
  'host_not_allowed',
  'origin_not_allowed',
  'expectation_failed',
  'overloaded',
  'internal_error',
];
const engineErrors: readonly ErrorCode[] = [
  'engine_closed',
  'storage_unavailable',
  'disk_full',
  'timed_out',
];
const bodyErrors: readonly ErrorCode[] = ['unsupported_media_type', 'payload_too_large'];

/** Returns all error codes of an operation. */
export function errorsOf(operation: Operation): ErrorCode[] {
  return [
    ...new Set([
      ...operation.errors,
      ...commonErrors,
      ...(operation.isPublic === true ? [] : (['unauthorized'] as const)),
      ...(operation.isPublic === true ||
      (operation.rights === 'read' && operation.concernsAllSources !== true)
        ? []
        : (['forbidden'] as const)),
      ...(operation.withoutEngine === true ? [] : engineErrors),
      ...(Object.keys(operation.body.content).length === 0 ? [] : bodyErrors),
    ]),
  ];
}
