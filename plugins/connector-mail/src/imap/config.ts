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

export type Config = Infer<typeof configSchema>;
