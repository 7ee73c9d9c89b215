import type { Infer, JsonSchema } from '@trove/core';

export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    feeds: {
      type: 'array',
      minItems: 1,
      maxItems: 200,
      items: { type: 'string', format: 'iri', minLength: 1, maxLength: 2000 },
      description:
        'For a target with a name of your own, such as `rss://news`: the addresses of the feeds, or of pages that name a feed.',
    },
    keep_removed: {
      type: 'boolean',
      default: true,
      description:
        'Whether entries stay in the index after they have left the feed. Most feeds contain only their latest entries.',
    },
    max_entries: {
      type: 'integer',
      minimum: 1,
      maximum: 100_000,
      default: 10_000,
      description: 'Maximum number of entries per feed. The oldest are left out.',
    },
    authorization: {
      type: 'string',
      minLength: 1,
      maxLength: 20_000,
      writeOnly: true,
      description:
        'The value of the header Authorization for feeds of one host, preferably as a reference: env:FEED_LOGIN with "Bearer …" or "Basic …".',
    },
  },
} as const satisfies JsonSchema;

export type RssConfig = Infer<typeof configSchema>;
