import type { Infer, JsonSchema } from '@trove/core';

export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    password: {
      type: 'string',
      writeOnly: true,
      description:
        'Password of the user in the target, for example env:MAIL_PASSWORD. Many providers require an app password.',
    },
    access_token: {
      type: 'string',
      writeOnly: true,
      description: 'OAuth access token instead of a password, for example env:MAIL_TOKEN.',
    },
    refresh_token: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description:
        'OAuth refresh token, from which Trove obtains access tokens. For example env:MAIL_REFRESH_TOKEN. Requires `token_url` and `client_id`.',
    },
    token_url: {
      type: 'string',
      pattern: '^(?:https://|http://(?:127\\.0\\.0\\.1|localhost)[:/])[^\\s]+$',
      description:
        'Token endpoint of the provider: https://login.microsoftonline.com/common/oauth2/v2.0/token or https://oauth2.googleapis.com/token.',
    },
    client_id: {
      type: 'string',
      minLength: 1,
      description: 'Client id of the app that owns the refresh token.',
    },
    client_secret: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description: 'Client secret of that app, if it has one. For example env:MAIL_CLIENT_SECRET.',
    },
    folders: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 1000 },
      default: [],
      description:
        'Folders to include, with their subfolders: `INBOX`, `Archive/2024`. Default: all except junk, trash and the folder of all mail.',
    },
    attachments: {
      type: 'boolean',
      default: true,
      description: 'Whether to include attachments.',
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
        'Certificate of your own authority, for example file:/etc/ssl/our-ca.pem. Default: the authorities of Node.js.',
    },
  },
} as const satisfies JsonSchema;

export type ImapConfig = Infer<typeof configSchema>;
