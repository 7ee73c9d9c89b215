import type { SourceSetup } from '@trove/core';

export const setup: SourceSetup = {
  address: {
    ask: 'Name of the mailbox in Trove',
    initial: 'mail',
    read: (text) =>
      /^[\w.@+-]+$/.test(text)
        ? { address: text.replaceAll('@', '-') }
        : 'Enter a name of letters, digits, _ and -, such as ann.',
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
            { setting: 'subject', ask: 'Mail address of the user' },
          ],
        },
      ],
    },
  ],
};
