import type { SetupChoice, SetupQuestion } from '@trove/core';

/** Asks how Trove logs in. `ofApp`: further questions if an app logs in without a user. */
export function graphLogin(permission: string, ofApp: readonly SetupQuestion[] = []): SetupChoice {
  return {
    ask: 'How does Trove log in?',
    choices: [
      {
        label: 'your own account',
        hint: 'reads what you may read',
        questions: [
          {
            setting: 'client_id',
            ask: 'Application (client) id',
            help: `At https://entra.microsoft.com, register an app, allow public client flows under Authentication, and add the delegated permission ${permission}.`,
          },
          {
            setting: 'refresh_token',
            ask: 'Refresh token',
            help: 'Log in with `trove-server connector login` first. It stores a refresh token.',
            ifEmpty: 'the stored one',
          },
        ],
      },
      {
        label: 'an app',
        hint: 'reads without a user, needs an administrator',
        questions: [
          {
            setting: 'client_id',
            ask: 'Application (client) id',
            help: `At https://entra.microsoft.com, register an app, add the application permission ${permission}, and let an administrator consent to it.`,
          },
          { setting: 'client_secret', ask: 'Client secret' },
          { setting: 'tenant', ask: 'Directory (tenant) id' },
          ...ofApp,
        ],
      },
      {
        label: 'an access token',
        hint: 'works for an hour, for a first try',
        questions: [
          {
            setting: 'token',
            ask: 'Access token',
            help: `Copy it from https://developer.microsoft.com/graph/graph-explorer after you have consented to ${permission}.`,
          },
        ],
      },
    ],
  };
}
