import type { Infer, JsonSchema } from '@trove/core';

export const configSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['token'],
  properties: {
    token: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description: 'Token of your Slack app (`xoxb-…` or `xoxp-…`), preferably as env:SLACK_TOKEN.',
    },
    types: {
      type: 'array',
      items: { type: 'string', enum: ['public_channel', 'private_channel', 'im', 'mpim'] },
      minItems: 1,
      default: ['public_channel', 'private_channel'],
      description:
        'Conversations to include. `im` are direct messages, `mpim` are direct messages of a group.',
    },
    bot_messages: {
      type: 'boolean',
      default: true,
      description: 'Whether to include messages of apps.',
    },
    files: {
      type: 'boolean',
      default: true,
      description: 'Whether to include files, which needs the scope `files:read`.',
    },
    thread_window: {
      type: 'string',
      pattern: '^[1-9]\\d{0,2}d$',
      default: '30d',
      description:
        'Age of the messages that each sync reads again, to find late replies, edits and deletions.',
    },
    base_url: {
      type: 'string',
      pattern: '^https?://[^/?#@\\s]+(?:/[^?#@\\s]*)?$',
      default: 'https://slack.com/api',
      description: 'Address of the Web API. For GovSlack, https://slack-gov.com/api.',
    },
  },
} as const satisfies JsonSchema;

export type SlackSettings = Infer<typeof configSchema>;
