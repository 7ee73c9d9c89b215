import type { SourceSetup } from '@trove/core';

export const setup: SourceSetup = {
  address: {
    ask: 'User, account and database (reader@myorg-account/SHOP), with a schema if only one is wanted',
    read: (text) => {
      const address = text.replace(/^snowflake:\/\//, '').replace(/\/+$/, '');
      return /^[^@/\s]+@[\w.-]+\/[^/]+(?:\/[^/]+)?$/.test(address)
        ? { address }
        : 'Enter a user, an account and a database, such as reader@myorg-account/SHOP.';
    },
  },
  questions: [
    {
      setting: 'private_key',
      ask: 'Path of its private key',
      help: 'Create a key pair as https://docs.snowflake.com/en/user-guide/key-pair-auth describes: `openssl genrsa 2048 | openssl pkcs8 -topk8 -nocrypt -out key.p8`. Register the public key with `alter user … set rsa_public_key`.',
      isFile: true,
    },
    {
      setting: 'warehouse',
      ask: 'Warehouse',
      help: 'It reads the rows of changed tables. A small one that suspends after a minute is enough.',
      ifEmpty: 'the default warehouse of the user',
    },
  ],
};
