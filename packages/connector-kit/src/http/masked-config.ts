import type { JsonSchema } from '@trove/core';

import { isRecord } from './json.js';

/** Returns a configuration in which each secret is `***`, so no text that is made of it contains a secret. */
export function maskSecrets(value: unknown, schema: JsonSchema): unknown {
  if (schema.writeOnly === true && value !== undefined) return '***';
  if (Array.isArray(value)) return value.map((item) => maskSecrets(item, schema.items ?? {}));
  if (!isRecord(value)) return value;
  const { additionalProperties: others } = schema;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const own = schema.properties?.[name] ?? (typeof others === 'object' ? others : {});
      return [name, maskSecrets(member, own)];
    }),
  );
}
