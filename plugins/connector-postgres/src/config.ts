import { tableSettings } from '@trove/connector-kit/sql';
import type { Infer, JsonSchema } from '@trove/core';

export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: tableSettings,
} as const satisfies JsonSchema;

export type PostgresConfig = Infer<typeof configSchema>;
