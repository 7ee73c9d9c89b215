import type { SourceSetup } from '@trove/core';

export const setup: SourceSetup = {
  address: {
    ask: 'Mail address',
    read: (text) =>
      /^[\w.+-]+@[\w.-]+$/.test(text)
        ? { address: text.replace('@', '-'), config: { account: text } }
        : 'Enter the whole address, such as ann@example.com.',
  },
  questions: [
    {
      ask: 'How does Trove log in?',
      choices: [
        {
          label: 'your own account',
          hint: 'reads your mail, with an OAuth client',
          questions: [
            {
              setting: 'client_id',
              ask: 'Client id',
              help: 'In the Google Cloud console, enable the Gmail API, and create an OAuth client of the type "Desktop app".',
            },
            { setting: 'client_secret', ask: 'Client secret' },
            {
              setting: 'refresh_token',
              ask: 'Refresh token',
              help: 'Log in with `trove-server connector login gmail` first. It stores a refresh token.',
              ifEmpty: 'the stored one',
            },
          ],
        },
        {
          label: 'service account',
          hint: 'reads the mail of a user of your organization',
          questions: [
            {
              setting: 'service_account_key',
              ask: 'Path of the JSON key',
              help: 'In the Google Cloud console, enable the Gmail API and create a service account with a JSON key. In the Admin console, delegate the scope gmail.readonly to it.',
              isFile: true,
            },
          ],
        },
      ],
    },
  ],
};
