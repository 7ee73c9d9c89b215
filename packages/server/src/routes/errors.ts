import type { ErrorCode } from '@trove/core';
import { takesBody, type Route } from './route.js';

/** Codes that any route can answer with. */
const everywhere: readonly ErrorCode[] = ['validation_error', 'host_not_allowed', 'internal_error'];
const guarded: readonly ErrorCode[] = [
  'unauthorized',
  'overloaded',
  'engine_closed',
  'storage_unavailable',
  'timed_out',
];
const withBody: readonly ErrorCode[] = ['unsupported_media_type', 'payload_too_large'];

/** All codes that a route can answer with. */
export function errorsOf(route: Route): ErrorCode[] {
  return [
    ...new Set([
      ...route.errors,
      ...everywhere,
      ...(route.open === true ? [] : guarded),
      ...(takesBody(route) ? withBody : []),
    ]),
  ];
}
