import { nameListSchema } from '@trove/connector-kit';
import { tableSettings } from '@trove/connector-kit/sql';
import type { Infer, JsonSchema } from '@trove/core';

export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...tableSettings,
    schemas: {
      ...nameListSchema,
      description: 'Databases to take in, if the target names none. Default: all of them.',
    },
  },
} as const satisfies JsonSchema;

export type MysqlConfig = Infer<typeof configSchema>;
