import type { JsonSchema } from '@trove/core';
import type { Route } from '../../src/routes/route.js';
import { tarOf, tarType } from './archives.js';
import type { CallInput } from './caller.js';

/** A request in which everything required is there. */
export function requestOf({ query, body }: Route): CallInput {
  const filled = ({ required = [] }: JsonSchema) =>
    Object.fromEntries(
      required.map((name) => [name, ['name', 'client_id'].includes(name) ? 'a' : '/a']),
    );
  const { 'application/json': json, [tarType]: archive } = body.content;
  return {
    params: { job_id: 'x' },
    query: filled(query),
    ...(json === undefined ? {} : { body: filled(json) }),
    ...(archive === undefined ? {} : { body: tarOf(), type: tarType }),
  };
}

/** Proven elsewhere for the host as a whole, whatever the route: see the tests of requests, access and deadlines. */
export const ofTheHost = [
  'unauthorized',
  'host_not_allowed',
  'origin_not_allowed',
  'expectation_failed',
  'internal_error',
  'overloaded',
  'timed_out',
  'unsupported_media_type',
  'payload_too_large',
  'validation_error',
];

/** Not brought about here. */
export const notHere = new Map([
  ['storage_unavailable', 'a disk that fails under a running server'],
  ['plugin_not_exported', 'a package that changes under a registered source'],
  ['plugin_failed_to_load', 'a package that changes under a registered source'],
  ['plugin_invalid', 'a package that changes under a registered source'],
  ['plugin_api_mismatch', 'a package that changes under a registered source'],
  ['config_invalid', 'a schema that changes under a registered source'],
]);
