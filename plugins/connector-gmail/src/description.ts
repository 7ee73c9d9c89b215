import type { Answer, ErrorRule, HttpServiceDescription } from '@trove/connector-kit/http';

const scope = 'https://www.googleapis.com/auth/gmail.readonly';

/** Errors that share a status and differ by their reason. */
const errors: readonly ErrorRule[] = [
  { when: because('userRateLimitExceeded', 'rateLimitExceeded'), do: 'wait' },
  {
    when: because('dailyLimitExceeded', 'quotaExceeded'),
    do: 'wait',
    say: 'The daily quota of the Google project is used up.',
  },
  {
    when: because('insufficientPermissions'),
    do: 'fail',
    code: 'missing_scope',
    say: `The login lacks the scope ${scope}. Log in again with this scope.`,
  },
  {
    when: because('accessNotConfigured'),
    do: 'fail',
    code: 'api_disabled',
    say: 'The Gmail API is not enabled in the project of the client. Enable it in the Google Cloud console.',
  },
  {
    when: because('failedPrecondition'),
    do: 'fail',
    code: 'no_mailbox',
    say: 'The account has no Gmail mailbox, or the service account does not act for a user. Set `account`.',
  },
];

/** Matches errors with one of these reasons. */
function because(...reasons: readonly string[]): (answer: Answer) => boolean {
  return ({ body }) => {
    const { error }: { readonly error?: { readonly errors?: readonly unknown[] } } = Object(body);
    const [first] = error?.errors ?? [];
    const { reason }: { readonly reason?: string } = Object(first);
    return reason !== undefined && reasons.includes(reason);
  };
}

/** The Gmail API, without its listings. */
export const description: HttpServiceDescription = {
  base: '{config.base_url}',
  auth: [
    {
      oauth2: {
        grant: 'refresh',
        refreshToken: 'refresh_token',
        tokenUrl: '{config.token_url}',
        client: { id: '{config.client_id}', secret: '{secret.client_secret}' },
        login: {
          authorizeUrl: '{config.authorize_url}',
          scopes: [scope],
          // Without a new consent, Google may issue no refresh token.
          params: { access_type: 'offline', prompt: 'consent', login_hint: '{config.account}' },
          help: 'Google requires an OAuth client of the type "Desktop app" for this scope. Create one in the Google Cloud console.',
        },
      },
    },
    {
      oauth2: {
        grant: 'jwt',
        send: 'assertion',
        tokenUrl: '{config.token_url}',
        jwt: {
          algorithm: 'RS256',
          key: '{secret.service_account_key.private_key}',
          keyId: '{secret.service_account_key.private_key_id}',
          claims: {
            iss: '{secret.service_account_key.client_email}',
            sub: '{config.account}',
            aud: '{config.token_url}',
            scope,
          },
          seconds: 3600,
        },
      },
    },
  ],
  check: { get: '/gmail/v1/users/me/profile', say: 'Connected as {emailAddress}.' },
  errors,
  // A message costs 5 of the 250 units that a user has in a second.
  limits: { budgets: [{ match: '/messages/', requests: 40, per: '1s' }] },
};
