import { serverSettings } from '@trove/connector-kit/sql';
import type { Infer, JsonSchema } from '@trove/core';

export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: serverSettings,
} as const satisfies JsonSchema;

export type Config = Infer<typeof configSchema>;
