export const configSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['token'],
  properties: {
    token: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description:
        'Personal access token (`pat…`), preferably as env:AIRTABLE_TOKEN or file:/path.',
    },
    comments: {
      type: 'boolean',
      default: true,
      description:
        'Whether comments are indexed. Each record with comments costs one more request in a full sync.',
    },
    base_url: {
      type: 'string',
      pattern: '^https?://[^/?#@\\s]+(?:/[^?#@\\s]*)?$',
      default: 'https://api.airtable.com',
      description: 'Address of the API, without `/v0`.',
    },
  },
} as const;
