import type { ConnectorContext, JsonSchema } from '@trove/core';
import {
  assertHttpDescription,
  descriptionProblems,
  httpDescriptionSchema,
  type HttpDescription,
} from '@trove/connector-kit/http';

import { isTable } from './tables.js';
import { secretProblems } from './secret-problems.js';

const { objects = {}, ...described } = httpDescriptionSchema.properties ?? {};

/** The questions and the reference of the top-level settings. */
const descriptions: Readonly<Record<string, string>> = {
  base: 'The address of the API, to which all paths are relative: https://api.example.com/v1.',
  auth: 'How requests log in, with the name of a secret: { bearer = "token" }. Default: no login.',
  headers: 'Headers of all requests. Secrets belong into `auth`.',
  check: 'The request that proves the login: { get = "/me" }.',
  errors: 'Rules for answers that mean something else than their status.',
  limits: 'Numbers of requests that the API allows.',
  lookups: 'Names by id, such as those of users.',
  streams: 'The lists of the API, each with its request, its paging and its fields.',
};

/**
 * The description of a web service without functions. `objects` has another name, because the rules of a source for its
 * objects have this one.
 */
export const configSchema: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['base', 'check', 'streams'],
  properties: {
    ...Object.fromEntries(
      Object.entries(described).map(([name, schema]) => {
        const description = descriptions[name];
        return [name, description === undefined ? schema : { ...schema, description }];
      }),
    ),
    recordObjects: {
      ...objects,
      description: 'The objects that consist of records, by the names that `in` of streams has.',
    },
    secrets: {
      type: 'object',
      description: 'The secrets of the login by name: token = "env:STOCK_TOKEN" or "file:/path".',
      additionalProperties: {
        type: 'string',
        minLength: 1,
        writeOnly: true,
        description: 'A secret, preferably as env:NAME or file:/path.',
      },
    },
    hosts: {
      type: 'array',
      items: { type: 'string', pattern: '^(\\*\\.)?[A-Za-z0-9.-]+(:\\d+)?$' },
      description:
        'Other hosts that links in answers may lead to: files.example.com, *.example.com. They get no login.',
    },
  },
};

/** The description of a service, and the other hosts that it may use. */
export interface RestSource {
  readonly description: HttpDescription;
  readonly hosts: readonly string[];
}

/** Returns the description in a configuration. Throws `config_invalid` with the place and the remedy of each problem. */
export function descriptionOf(
  config: unknown,
  error: ConnectorContext<unknown>['error'],
): RestSource {
  const { secrets, hosts, recordObjects, ...service } = isTable(config) ? config : {};
  const names = Object.keys(isTable(secrets) ? secrets : {});
  const description: unknown =
    recordObjects === undefined ? service : { ...service, objects: recordObjects };
  const problems = [
    ...descriptionProblems(description).map((each) =>
      each.replaceAll('`objects', '`recordObjects'),
    ),
    ...secretProblems(service, names),
  ];
  if (problems.length > 0)
    throw error('config_invalid', `The description of the API is invalid: ${problems.join('; ')}`, {
      suggestions: ['Change the named places in the TOML file of the source, and add it again.'],
    });
  assertHttpDescription(description);
  return { description, hosts: Array.isArray(hosts) ? hosts.map(String) : [] };
}
