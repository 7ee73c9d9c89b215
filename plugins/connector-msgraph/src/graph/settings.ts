const url = '^https?://[^/?#@\\s]+$';
const secret = { type: 'string', minLength: 1, writeOnly: true } as const;

/** The settings of every login at Microsoft Graph. */
export const graphSettings = {
  client_id: {
    type: 'string',
    minLength: 1,
    description:
      'Application (client) id of an app in Microsoft Entra. `trove-server connector login` logs in with it.',
  },
  tenant: {
    type: 'string',
    pattern: '^[A-Za-z0-9.-]+$',
    default: 'common',
    description:
      'Id or domain of the directory of the organization. Required with `client_secret`.',
  },
  client_secret: {
    ...secret,
    description:
      'Secret of the app, preferably as env:NAME, for a login without a user. Leave it out if a user logs in.',
  },
  refresh_token: {
    ...secret,
    description: 'Refresh token that was obtained elsewhere, preferably as env:NAME.',
  },
  token: {
    ...secret,
    description:
      'An access token, preferably as env:NAME. It works for about an hour, for a first try.',
  },
  account: {
    type: 'string',
    pattern: '^[^@\\s]+@[^@\\s]+$',
    description: 'Mail address of the user who logs in. The page of the login proposes it.',
  },
  base_url: {
    type: 'string',
    pattern: url,
    default: 'https://graph.microsoft.com',
    description: 'Address of Microsoft Graph. National clouds have their own.',
  },
  login_url: {
    type: 'string',
    pattern: url,
    default: 'https://login.microsoftonline.com',
    description: 'Address of the login. National clouds have their own.',
  },
} as const;
