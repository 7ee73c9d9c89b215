import type { ErrorRule } from '@trove/connector-kit/http';

import type { DiscordMessage } from './forms.js';
import { lacksContent } from './messages.js';

export const missingIntent =
  'Discord hides the texts of messages from the bot. Open the bot at https://discord.com/developers/applications, and turn on "Message Content Intent" under Bot.';

/** Rules for all requests. */
export const errors: readonly ErrorRule[] = [
  {
    when: { status: 401 },
    do: 'login',
    code: 'login',
    say: 'Discord refused the token. Set `token` to the token of the bot, which the developer portal shows once after "Reset Token".',
  },
  // The index of a server is built when it is first searched.
  { when: { status: 202 }, do: 'wait', say: 'Discord is building its search index of the server.' },
  {
    when: ({ status, url }) =>
      [403, 404].includes(status) && /\/guilds\/[^/]+\/channels$/.test(url),
    do: 'fail',
    code: 'not_a_member',
    say: 'The bot is not a member of this server, or the server does not exist. Check the id of the server, and invite the bot.',
  },
  {
    when: { status: 403, body: { code: [50_001, 50_013] } },
    do: 'skip',
    say: 'Discord refused a channel that it had listed as readable. It keeps its last indexed state.',
  },
];

/** The service states no error if the bot lacks the intent. */
export const hiddenContent: ErrorRule = {
  when: ({ status, body }) => status === 200 && isList(body) && lacksContent(body),
  do: 'fail',
  code: 'missing_intent',
  say: missingIntent,
};

/** The service documents the answer as a list of messages. */
export function isList(body: unknown): body is readonly DiscordMessage[] {
  return Array.isArray(body);
}
