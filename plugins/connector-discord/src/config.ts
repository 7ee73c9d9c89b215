import type { Infer, JsonSchema } from '@trove/core';
import type { Scope } from '@trove/connector-kit/http';

export const configSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['token'],
  properties: {
    guild: {
      type: 'string',
      pattern: '^\\d{15,20}$',
      description:
        'Id of the server, if the target is a name of your own (`discord://acme`). Default: that of the target.',
    },
    token: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description: 'Token of your bot, preferably as env:DISCORD_TOKEN or file:/path.',
    },
    bot_messages: {
      type: 'boolean',
      default: true,
      description: 'Whether to include messages of bots and webhooks.',
    },
    thread_window: {
      type: 'string',
      pattern: '^[1-9]\\d{0,2}d$',
      default: '30d',
      description: 'Age of the messages that each sync reads again, to find edits and deletions.',
    },
    base_url: {
      type: 'string',
      pattern: '^https?://[^/?#@\\s]+(?:/[^?#@\\s]*)?$',
      default: 'https://discord.com/api/v10',
      description: 'Address of the API.',
    },
  },
} as const satisfies JsonSchema;

export type DiscordSettings = Infer<typeof configSchema>;

/** Returns the id of the server. */
export function guildOf({ config, target }: Scope<DiscordSettings>): string {
  return config.guild ?? target.authority;
}
