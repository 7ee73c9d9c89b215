import type { ErrorRule } from '@trove/connector-kit/http';

import { membersOf } from './forms.js';

const channelErrors = [
  'not_in_channel',
  'channel_not_found',
  'channel_is_limited_access',
  'is_archived',
];

/** Slack's errors have status 200 and `ok: false`. */
export const errors: readonly ErrorRule[] = [
  { when: { body: { error: 'ratelimited' } }, do: 'wait' },
  {
    when: {
      body: {
        error: ['not_authed', 'invalid_auth', 'account_inactive', 'token_revoked', 'token_expired'],
      },
    },
    do: 'login',
    code: 'login',
    say: 'Slack refused the token ({error}). Set `token` to the token of an app that is installed in the workspace.',
  },
  {
    when: { body: { error: 'missing_scope' } },
    do: 'fail',
    code: 'missing_scope',
    say: 'The token lacks the scope {needed}. Add it to the app under "OAuth & Permissions", install the app again, and use its new token.',
  },
  {
    when: {
      body: {
        error: [
          'ekm_access_denied',
          'no_permission',
          'org_login_required',
          'team_access_not_granted',
        ],
      },
    },
    do: 'fail',
    code: 'forbidden',
    say: 'The administrator of the workspace has restricted the access of the app: {error}.',
  },
  {
    when: {
      body: {
        error: ['request_timeout', 'service_unavailable', 'fatal_error', 'internal_error'],
      },
    },
    do: 'retry',
  },
  {
    when: {
      body: {
        error: channelErrors,
      },
    },
    do: 'skip',
    say: 'Slack did not show a channel that it had listed: {error}. It keeps its last indexed state.',
  },
  {
    when: {
      body: { error: ['thread_not_found', 'message_not_found', 'file_not_found', 'file_deleted'] },
    },
    do: 'absent',
  },
  { when: { body: { error: 'invalid_cursor' } }, do: 'expired' },
  {
    when: ({ body }) => membersOf<{ ok: boolean }>(body).ok === false,
    do: 'fail',
    say: 'Slack refused a request: {error}.',
  },
];

/** Fails a full reading of a refused channel. Without messages, the channel would look empty. */
export const refusedChannel: ErrorRule = {
  when: ({ body, url }) =>
    channelErrors.includes(membersOf<{ error: string }>(body).error ?? '') &&
    !new URL(url).searchParams.has('oldest'),
  do: 'fail',
  say: 'Slack does not show the messages of this channel: {error}.',
};

/** Ignores a refused channel in the listing for the ledger, because an incomplete listing would repeat with every sync. */
export const refusedOverview: ErrorRule = {
  when: { body: { error: channelErrors } },
  do: 'absent',
};

/** A person whom Slack does not show has no name. */
export const unknownPerson: ErrorRule = {
  when: { body: { error: ['user_not_found', 'user_not_visible', 'users_not_found'] } },
  do: 'absent',
};
