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
      description: 'Databases to include, if the target names none. Default: all.',
    },
  },
} as const satisfies JsonSchema;

export type MysqlConfig = Infer<typeof configSchema>;
