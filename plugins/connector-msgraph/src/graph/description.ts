import type {
  Answer,
  Check,
  ErrorRule,
  HttpServiceDescription,
  LoginDescription,
} from '@trove/connector-kit/http';

const authority = '{config.login_url}/{config.tenant}/oauth2/v2.0';

/** Describes Microsoft Graph for a kind of source. `permission`: what its login needs. */
export function describeGraph(
  permission: string,
  check: Check,
  headers: Readonly<Record<string, string>> = {},
): HttpServiceDescription {
  return {
    base: '{config.base_url}',
    auth: loginsWith(permission),
    headers,
    check,
    errors: errorsFor(permission),
  };
}

function loginsWith(permission: string): readonly LoginDescription[] {
  return [
    { bearer: 'token' },
    {
      oauth2: {
        grant: 'refresh',
        refreshToken: 'refresh_token',
        tokenUrl: `${authority}/token`,
        client: { id: '{config.client_id}' },
        login: {
          authorizeUrl: `${authority}/authorize`,
          deviceUrl: `${authority}/devicecode`,
          scopes: [permission, 'offline_access'],
          params: { login_hint: '{config.account}' },
          help: 'Register an app in Microsoft Entra, allow public client flows in it, and use its application id.',
        },
      },
    },
    {
      oauth2: {
        grant: 'client',
        tokenUrl: `${authority}/token`,
        client: { id: '{config.client_id}', secret: '{secret.client_secret}' },
        params: { scope: '{config.base_url}/.default' },
      },
    },
  ];
}

function errorsFor(permission: string): readonly ErrorRule[] {
  return [
    { when: isThrottled, do: 'wait' },
    {
      when: { status: 403, body: { 'error.code': ['Authorization_RequestDenied', 'Forbidden'] } },
      do: 'fail',
      code: 'missing_permission',
      say: missing(permission),
    },
    {
      when: { status: 403, body: { 'error.code': ['accessDenied', 'ErrorAccessDenied'] } },
      do: 'fail',
      code: 'missing_permission',
      say: missing(permission),
    },
    {
      when: { status: 423 },
      do: 'fail',
      code: 'locked',
      say: 'Microsoft Graph refused access because the item or its site is locked.',
    },
  ];
}

function missing(permission: string): string {
  return `Microsoft Graph refused access: {error.message} The login needs the permission ${permission}. Grant it to the app and log in again.`;
}

/** Graph limits requests with 429, and with 503 and 509 if they state a time. */
export function isThrottled({ status, headers }: Answer): boolean {
  if (status === 509) return true;
  return [403, 429, 503].includes(status) && headers.has('retry-after');
}
