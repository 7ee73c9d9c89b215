import type { Infer, JsonSchema } from '@trove/core';

export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    password: {
      type: 'string',
      writeOnly: true,
      description:
        'Password of the user that the target names: env:MAIL_PASSWORD, say. Many providers want one made for a single app.',
    },
    access_token: {
      type: 'string',
      writeOnly: true,
      description: 'OAuth access token in place of a password: env:MAIL_TOKEN, say.',
    },
    refresh_token: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description:
        'OAuth refresh token, for which access tokens are got as they run out: env:MAIL_REFRESH_TOKEN, say. With `token_url` and `client_id`.',
    },
    token_url: {
      type: 'string',
      pattern: '^(?:https://|http://(?:127\\.0\\.0\\.1|localhost)[:/])[^\\s]+$',
      description:
        'Where access tokens are got: https://login.microsoftonline.com/common/oauth2/v2.0/token, https://oauth2.googleapis.com/token.',
    },
    client_id: {
      type: 'string',
      minLength: 1,
      description: 'Id of the app that the refresh token was given to.',
    },
    client_secret: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description: 'Secret of that app, if it has one: env:MAIL_CLIENT_SECRET, say.',
    },
    folders: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 1000 },
      default: [],
      description:
        'Folders to take in, with those below them: `INBOX`, `Archive/2024`. None: all but junk, the trash, and what shows all mail once more.',
    },
    attachments: {
      type: 'boolean',
      default: true,
      description: 'Whether attachments are taken in, too.',
    },
    tls: {
      type: 'string',
      enum: ['verify', 'unverified', 'off'],
      description:
        'Encryption: `verify` checks the certificate, `unverified` does not. Default: `off` for imap:// on this machine, else `verify`.',
    },
    ca: {
      type: 'string',
      description:
        'Certificate of the authority that signed that of the server, if it is your own: file:/etc/ssl/our-ca.pem.',
    },
  },
} as const satisfies JsonSchema;

export type ImapConfig = Infer<typeof configSchema>;
