import { readFileSync } from 'node:fs';
import { errorCatalogue, isErrorCode, type JsonSchema } from '@trove/core';
import type { Route } from '../../src/routes/route.js';
import { tarOf, tarType } from './archives.js';
import type { CallInput } from './caller.js';

/** A request with every required field. */
export function requestOf({ params, query, body }: Route): CallInput {
  const valueOf = (name: string): string => (['name', 'client_id'].includes(name) ? 'a' : '/a');
  const filled = ({ required = [] }: JsonSchema) =>
    Object.fromEntries(required.map((name) => [name, valueOf(name)]));
  const filledBody = ({ required = [], properties = {} }: JsonSchema) =>
    Object.fromEntries(
      required.map((name) => {
        const { items } = properties[name] ?? {};
        return [name, items?.properties === undefined ? valueOf(name) : [filled(items)]];
      }),
    );
  const { 'application/json': json, [tarType]: archive } = body.content;
  return {
    params: filled(params),
    query: filled(query),
    ...(json === undefined ? {} : { body: filledBody(json) }),
    ...(archive === undefined ? {} : { body: tarOf(), type: tarType }),
  };
}

/** Tested for the host as a whole in the tests of requests, access and deadlines. */
export const ofTheHost = [
  'unauthorized',
  'forbidden',
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

/** Not provoked here. */
export const notHere = new Map([
  ['storage_unavailable', 'a disk that fails under a running server'],
  ['disk_full', 'a disk that fills up under a running server'],
  ['plugin_not_exported', 'a package that changes under a registered source'],
  ['plugin_failed_to_load', 'a package that changes under a registered source'],
  ['plugin_invalid', 'a package that changes under a registered source'],
  ['plugin_api_mismatch', 'a package that changes under a registered source'],
  ['config_invalid', 'a schema that changes under a registered source'],
]);

/** Error codes that the test of the routes does not provoke, with the test file that does. */
const provokedIn: Readonly<Record<string, string>> = {
  disk_full: 'faults/full-disk.test.ts',
  expectation_failed: 'attacks.test.ts',
  filter_invalid: 'graph-routes.test.ts',
  forbidden: 'access.test.ts',
  graph_busy: 'graph-routes.test.ts',
  host_not_allowed: 'access.test.ts',
  index_mismatch: 'graph-routes.test.ts',
  internal_error: 'requests.test.ts',
  method_not_allowed: 'requests.test.ts',
  origin_not_allowed: 'access.test.ts',
  overloaded: 'requests.test.ts',
  payload_too_large: 'uploads.test.ts',
  storage_unavailable: 'postgres.test.ts',
  timed_out: 'deadlines.test.ts',
  unauthorized: 'access.test.ts',
  unsupported_media_type: 'requests.test.ts',
};

/**
 * Returns the codes with an HTTP status that neither the test of the routes (`operation code`) nor the listed
 * files provoke.
 */
export function unprovoked(seen: ReadonlySet<string>): string[] {
  const codes = new Set([...seen].map((pair) => pair.split(' ')[1]));
  return Object.keys(errorCatalogue)
    .filter((code) => isErrorCode(code) && errorCatalogue[code].status > 0 && !codes.has(code))
    .filter((code) => !textOf(provokedIn[code]).includes(`'${code}'`));
}

function textOf(file: string | undefined): string {
  return file === undefined ? '' : readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
}
