import { TroveError, type JsonSchema } from '@trove/core';

import { textValue } from '../text-value.js';

/**
 * Parses a query string. Values are converted to the types in the schema. A value that cannot be converted
 * stays a string, which validation rejects. Throws `validation_error` for a malformed query or a repeated
 * parameter.
 */
export function parseQuery(querystring: string, schema: JsonSchema): Record<string, unknown> {
  const values = new Map<string, unknown>();
  const repeated = new Set<string>();
  for (const pair of querystring.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const text = decode(equals < 0 ? '' : pair.slice(equals + 1));
    if (values.has(name)) repeated.add(name);
    values.set(name, textValue(text, schema.properties?.[name] ?? {}));
  }
  if (repeated.size > 0) refuseRepeated([...repeated], schema);
  return Object.fromEntries(values);
}

function decode(text: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw new TroveError('validation_error', 'query: must be percent-encoded UTF-8', {
      cause,
      suggestions: ['Write a literal % as %25.'],
    });
  }
  if (decoded.includes('\0'))
    throw new TroveError('validation_error', 'query: must not contain a NUL');
  return decoded;
}

function refuseRepeated(names: readonly string[], schema: JsonSchema): never {
  const reasons = names.map((name) => {
    const known = Object.hasOwn(schema.properties ?? {}, name);
    return known ? `query.${name}: must be given once` : 'query: has a repeated unknown parameter';
  });
  throw new TroveError('validation_error', [...new Set(reasons)].join('; '), {
    suggestions: ['Give each parameter once.'],
  });
}
