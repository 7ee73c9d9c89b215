import {
  because,
  googleErrors,
  googleLogin,
  type ErrorRule,
  type HttpServiceDescription,
} from '@trove/connector-kit/http';

import { scope } from './config.js';

/** Errors that share a status and differ by their reason. */
const errors: readonly ErrorRule[] = [
  ...googleErrors({ api: 'Gmail API', scope }),
  {
    when: because('failedPrecondition'),
    do: 'fail',
    code: 'no_mailbox',
    say: 'The account has no Gmail mailbox, or the service account does not act for a user. Set `account`.',
  },
];

/** The Gmail API, without its listings. */
export const description: HttpServiceDescription = {
  base: '{config.base_url}',
  auth: googleLogin({ scope, subject: 'account' }),
  check: { get: '/gmail/v1/users/me/profile', say: 'Connected as {emailAddress}.' },
  errors,
  // A message costs 5 of the 250 units that a user has in a second.
  limits: { budgets: [{ match: '/messages/', requests: 40, per: '1s' }] },
};
