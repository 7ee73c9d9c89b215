import type { JsonSchema } from '@trove/core';

import type { Answer, ErrorRule, LoginDescription } from '../description/index.js';

/** How connectors of Google's services log in. `api` is the name of the service in the Google Cloud console. */
export interface GoogleAccess {
  readonly api: string;
  readonly scope: string;
  /** The URI scheme of the connector. */
  readonly scheme: string;
}

const secret = { type: 'string', minLength: 1, writeOnly: true } as const;
const mailAddress = { type: 'string', pattern: '^[^@\\s]+@[^@\\s]+$' } as const;

/** The settings of both logins: a user's, and that of a service account. */
export function googleLoginSettings({ scope, scheme }: Pick<GoogleAccess, 'scope' | 'scheme'>) {
  return {
    client_id: {
      type: 'string',
      minLength: 1,
      description: `Id of an OAuth client of the type "Desktop app". \`trove-server connector login ${scheme}\` logs in with it.`,
    },
    client_secret: {
      ...secret,
      description: 'Secret of the OAuth client, preferably as env:NAME.',
    },
    refresh_token: {
      ...secret,
      description: `Refresh token that was obtained elsewhere, with the scope ${scope}. Preferably as env:NAME.`,
    },
    account: {
      ...mailAddress,
      description:
        'Mail address of the user who logs in. Sources with the same client and account share one login.',
    },
    service_account_key: {
      ...secret,
      description:
        'The JSON key of a service account, preferably as file:/path. It sees what is shared with it.',
    },
    token_url: {
      type: 'string',
      pattern: '^https?://[^?#@\\s]+$',
      default: 'https://oauth2.googleapis.com/token',
      description: 'Address of the token endpoint.',
    },
    authorize_url: {
      type: 'string',
      pattern: '^https?://[^?#@\\s]+$',
      default: 'https://accounts.google.com/o/oauth2/v2/auth',
      description: 'Address of the page on which users log in.',
    },
    device_url: {
      type: 'string',
      pattern: '^https?://[^?#@\\s]+$',
      default: 'https://oauth2.googleapis.com/device/code',
      description: 'Address that issues codes for users.',
    },
  } as const satisfies Readonly<Record<string, JsonSchema>>;
}

/**
 * The login of a user, or else of a service account, by the settings of `googleLoginSettings`. `subject` is the setting with
 * the user for whom the service account acts. Without the setting `device_url`, people log in only in a browser.
 */
export function googleLogin({
  scope,
  subject = 'subject',
}: Pick<GoogleAccess, 'scope'> & {
  readonly subject?: 'account' | 'subject';
}): readonly LoginDescription[] {
  return [
    {
      oauth2: {
        grant: 'refresh',
        refreshToken: 'refresh_token',
        tokenUrl: '{config.token_url}',
        client: { id: '{config.client_id}', secret: '{secret.client_secret}' },
        login: {
          authorizeUrl: '{config.authorize_url}',
          deviceUrl: '{config.device_url}',
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
            sub: `{config.${subject}}`,
            aud: '{config.token_url}',
            scope,
          },
          seconds: 3600,
        },
      },
    },
  ];
}

/** Errors of all of Google's services, which share the status 403 and differ by their reason. */
export function googleErrors({ api, scope }: Pick<GoogleAccess, 'api' | 'scope'>): ErrorRule[] {
  return [
    {
      when: because('userRateLimitExceeded', 'rateLimitExceeded', 'sharingRateLimitExceeded'),
      do: 'wait',
    },
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
      say: `The ${api} is not enabled in the project of the client. Enable it in the Google Cloud console.`,
    },
  ];
}

/** Matches errors of Google's services with one of these reasons. */
export function because(...reasons: readonly string[]): (answer: Answer) => boolean {
  return ({ body }) => {
    const { error }: { readonly error?: { readonly errors?: readonly unknown[] } } = Object(body);
    const [first] = error?.errors ?? [];
    const { reason }: { readonly reason?: string } = Object(first);
    return reason !== undefined && reasons.includes(reason);
  };
}
