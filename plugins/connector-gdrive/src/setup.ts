import type { SourceSetup } from '@trove/core';

export const setup: SourceSetup = {
  address: {
    ask: 'Name of the drive in Trove',
    initial: 'drive',
    read: (text) =>
      /^[\w-]+$/.test(text)
        ? { address: text }
        : 'Enter a name of letters, digits, _ and -, such as ann.',
  },
  questions: [
    {
      ask: 'How does Trove log in?',
      choices: [
        {
          label: 'service account',
          hint: 'reads what is shared with its mail address',
          questions: [
            {
              setting: 'service_account_key',
              ask: 'Path of the JSON key',
              help: 'In the Google Cloud console, enable the Google Drive API. Create a service account under IAM & Admin, and a JSON key for it. Share folders or a drive with its mail address.',
              isFile: true,
            },
          ],
        },
        {
          label: 'your own account',
          hint: 'reads your drive, with an OAuth client',
          questions: [
            {
              setting: 'client_id',
              ask: 'Client id',
              help: 'In the Google Cloud console, enable the Google Drive API, and create an OAuth client of the type "Desktop app".',
            },
            { setting: 'client_secret', ask: 'Client secret' },
            {
              setting: 'refresh_token',
              ask: 'Refresh token',
              help: 'Log in with `trove-server connector login gdrive` first. It stores a refresh token.',
              ifEmpty: 'the stored one',
            },
          ],
        },
      ],
    },
  ],
};
