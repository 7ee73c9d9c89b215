import type { Infer, JsonSchema } from '@trove/core';

export const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    host: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      description:
        'Name or address of the machine, for a target with a name of your own. Default: the host of the target.',
    },
    port: {
      type: 'integer',
      minimum: 1,
      maximum: 65_535,
      description: 'Port of the SSH server. Default: the port of the target, else 22.',
    },
    user: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      description: 'Name of the user. Default: the user of the target.',
    },
    password: {
      type: 'string',
      minLength: 1,
      maxLength: 20_000,
      writeOnly: true,
      description: 'Password of the user, preferably as env:NAME or file:/path.',
    },
    private_key: {
      type: 'string',
      minLength: 1,
      maxLength: 100_000,
      writeOnly: true,
      description: 'Private key of the user: file:/home/ada/.ssh/id_ed25519.',
    },
    passphrase: {
      type: 'string',
      minLength: 1,
      maxLength: 20_000,
      writeOnly: true,
      description: 'Passphrase of the private key, preferably as env:NAME.',
    },
    host_key: {
      type: 'string',
      pattern: '^(?:SHA256:[A-Za-z0-9+/]{43}=?|[a-z0-9@.-]+ [A-Za-z0-9+/]+=*(?: .*)?)$',
      maxLength: 10_000,
      description:
        'Key of the server, as its fingerprint (SHA256:…) or as a line "ssh-ed25519 AAAA…". Default: the keys in ~/.ssh/known_hosts and /etc/ssh/ssh_known_hosts.',
    },
    ignore: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description:
        'Patterns as in a .gitignore file at the root of the source. They take precedence: "!dist/" includes a folder that a built-in rule leaves out.',
    },
  },
} as const satisfies JsonSchema;

export type SftpConfig = Infer<typeof configSchema>;
