import type { Infer, JsonSchema } from '@trove/core';

export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    account_key: {
      type: 'string',
      minLength: 1,
      maxLength: 1000,
      writeOnly: true,
      description:
        'Access key of the storage account, preferably as env:NAME. Default: AZURE_STORAGE_KEY for the account AZURE_STORAGE_ACCOUNT.',
    },
    sas_token: {
      type: 'string',
      minLength: 1,
      maxLength: 5000,
      writeOnly: true,
      description:
        'Shared access signature with the rights to read and to list (sp=rl), preferably as env:NAME. Default: AZURE_STORAGE_SAS_TOKEN for the account AZURE_STORAGE_ACCOUNT.',
    },
    connection_string: {
      type: 'string',
      minLength: 1,
      maxLength: 5000,
      writeOnly: true,
      description:
        'Connection string of the storage account, preferably as env:NAME. Default: AZURE_STORAGE_CONNECTION_STRING, if it is for the account of the target.',
    },
    anonymous: {
      type: 'boolean',
      default: false,
      description: 'Whether requests are sent without a login, for a public container.',
    },
    endpoint: {
      type: 'string',
      pattern: '^https?://[^/?#@\\s]+(?:/[^?#@\\s]*)?$',
      description:
        'Address of the blob service: https://ACCOUNT.blob.core.usgovcloudapi.net, http://127.0.0.1:10000/devstoreaccount1. Default: the connection string, else https://ACCOUNT.blob.core.windows.net.',
    },
    ignore: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description:
        'Patterns as in a .gitignore file at the root of the source. They take precedence: "!dist/" includes a folder that a built-in rule leaves out.',
    },
  },
} as const satisfies JsonSchema;

export type AzureConfig = Infer<typeof configSchema>;
