import { TroveError, type JsonSchema } from '@trove/core';

import type { HttpDescription } from '../description/index.js';
import { auth } from './auth.js';
import {
  duration,
  errorRules,
  listOf,
  mapOf,
  objectOf,
  paging,
  path,
  requestMembers,
  text,
  value,
} from './parts.js';
import { relationProblems } from './relations.js';
import { object, stream } from './stream.js';
import { schemaProblems } from './validate.js';

const check = objectOf({
  ...requestMembers,
  say: value,
  again: { type: 'boolean' },
  scopes: objectOf({ from: path, needs: listOf({ type: 'string' }) }, ['from', 'needs']),
});

const limits = objectOf({
  waitFrom: listOf(path),
  wait: duration,
  budgets: listOf(
    objectOf(
      { match: { type: 'string' }, requests: { type: 'integer', minimum: 1 }, per: duration },
      ['requests', 'per'],
    ),
  ),
});

const lookup = objectOf(
  {
    ...requestMembers,
    page: paging,
    batch: { type: 'integer', minimum: 1 },
    fresh: { type: 'boolean' },
    items: path,
    key: path,
    value,
    errors: errorRules,
  },
  ['value'],
);

/**
 * The JSON Schema of the description of a web service that has no functions, such as one written as TOML. See
 * `HttpDescription` for the meaning of the members.
 */
export const httpDescriptionSchema: JsonSchema = objectOf(
  {
    base: text,
    auth,
    headers: mapOf(text),
    graphql: text,
    check,
    errors: errorRules,
    limits,
    lookups: mapOf(lookup),
    objects: mapOf(object),
    streams: mapOf(stream),
  },
  ['base', 'check', 'streams'],
);

/** Returns a sentence for each invalid place of a description, which may contain functions. */
export function descriptionProblems(description: unknown): readonly string[] {
  const problems = schemaProblems(httpDescriptionSchema, description);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema that the type describes accepted it
  return problems.length > 0 ? problems : relationProblems(description as HttpDescription);
}

/** Throws `plugin_invalid` with each invalid place of a description, which may contain functions. */
export function assertHttpDescription(
  description: unknown,
): asserts description is HttpDescription {
  const problems = descriptionProblems(description);
  if (problems.length > 0)
    throw new TroveError(
      'plugin_invalid',
      `The description of the service is invalid: ${problems.join('; ')}`,
    );
}
