import type { Infer, JsonSchema } from '@trove/core';

export const configSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['app_id', 'app_secret'],
  properties: {
    app_id: {
      type: 'string',
      minLength: 1,
      description: 'App ID of a custom app (`cli_…`).',
    },
    app_secret: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description: 'App Secret of the app, preferably as env:FEISHU_SECRET.',
    },
    include: {
      type: 'array',
      items: { type: 'string', enum: ['chats', 'wiki'] },
      minItems: 1,
      default: ['chats', 'wiki'],
      description:
        'What to index: chats that the bot of the app belongs to, and wikis that the app may read. Not used with a link as the target.',
    },
    base_url: {
      type: 'string',
      pattern: '^https?://[^/?#@\\s]+$',
      description:
        'Address of the API. Default: https://open.larksuite.com for a target at larksuite.com, else https://open.feishu.cn.',
    },
  },
} as const satisfies JsonSchema;

export type FeishuConfig = Infer<typeof configSchema>;
