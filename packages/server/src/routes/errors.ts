import type { ErrorCode } from '@trove/core';
import type { Route } from './route.js';

/** Of routes that open a plugin. */
export const pluginErrors = [
  'not_available',
  'plugin_not_exported',
  'plugin_failed_to_load',
  'plugin_invalid',
  'plugin_api_mismatch',
] as const satisfies readonly ErrorCode[];

/** Of routes that open a source. */
export const sourceErrors = [
  'path_not_allowed',
  'credential_error',
  'config_invalid',
  ...pluginErrors,
] as const satisfies readonly ErrorCode[];

/** Codes that any route can answer with. */
const everywhere: readonly ErrorCode[] = [
  'validation_error',
  'host_not_allowed',
  'origin_not_allowed',
  'expectation_failed',
  'overloaded',
  'internal_error',
];
const ofEngine: readonly ErrorCode[] = [
  'engine_closed',
  'storage_unavailable',
  'disk_full',
  'timed_out',
];
const ofBody: readonly ErrorCode[] = ['unsupported_media_type', 'payload_too_large'];

/** All codes that a route can answer with. */
export function errorsOf(route: Route): ErrorCode[] {
  return [
    ...new Set([
      ...route.errors,
      ...everywhere,
      ...(route.open === true ? [] : (['unauthorized'] as const)),
      ...(route.open === true || route.method === 'GET' || route.reads === true
        ? []
        : (['forbidden'] as const)),
      ...(route.withoutEngine === true ? [] : ofEngine),
      ...(Object.keys(route.body.content).length === 0 ? [] : ofBody),
    ]),
  ];
}
