import { nameListSchema } from '@trove/connector-kit';
import { googleLoginSettings } from '@trove/connector-kit/http';
import { scanSettings } from '@trove/connector-kit/sql';
import type { Infer, JsonSchema } from '@trove/core';

export const scope = 'https://www.googleapis.com/auth/bigquery';
export const scheme = 'bigquery';

export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...googleLoginSettings({ scope, scheme }),
    ...scanSettings,
    datasets: {
      ...nameListSchema,
      description: 'Datasets to include, if the target names none. Default: all of the project.',
    },
    tables: {
      ...nameListSchema,
      description:
        'Tables and views to include, as `table` or `dataset.table`. Default: all except external tables.',
    },
    partitions: {
      type: 'integer',
      minimum: 1,
      description: 'The number of newest partitions of each table to include. Default: all.',
    },
    base_url: {
      type: 'string',
      pattern: '^https?://[^/?#@\\s]+$',
      default: 'https://bigquery.googleapis.com',
      description: 'Address of the API.',
    },
  },
} as const satisfies JsonSchema;

export type BigQueryConfig = Infer<typeof configSchema>;
