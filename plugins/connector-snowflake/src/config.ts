import { nameListSchema } from '@trove/connector-kit';
import { scanSettings } from '@trove/connector-kit/sql';
import type { Infer, JsonSchema } from '@trove/core';

export const scheme = 'snowflake';

const name = { type: 'string', minLength: 1 } as const;
const secret = { type: 'string', minLength: 1, writeOnly: true } as const;

export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    user: { ...name, description: 'User whose key pair logs in. Default: the user in the target.' },
    private_key: {
      ...secret,
      description: 'The private key of the user in PEM, not encrypted. Preferably as file:/path.',
    },
    token: {
      ...secret,
      description: 'A programmatic access token, in place of a key pair. Preferably as env:NAME.',
    },
    warehouse: {
      ...name,
      description: 'Warehouse that reads rows. Default: the default warehouse of the user.',
    },
    role: { ...name, description: 'Role that reads. Default: the default role of the user.' },
    ...scanSettings,
    schemas: {
      ...nameListSchema,
      description: 'Schemas to include, if the target names none. Default: all of the database.',
    },
    tables: {
      ...nameListSchema,
      description: 'Tables and views to include, as `table` or `schema.table`. Default: all.',
    },
    last_altered: {
      type: 'boolean',
      default: false,
      description:
        'Whether each sync also compares the time of the last change of each table. The warehouse must run for this. Default: only the numbers of rows and bytes, which are free.',
    },
    base_url: {
      type: 'string',
      pattern: '^https?://[^/?#@\\s]+$',
      description:
        'Address of the account. Default: https://ACCOUNT.snowflakecomputing.com, with the account of the target.',
    },
  },
} as const satisfies JsonSchema;

export type SnowflakeConfig = Infer<typeof configSchema>;
