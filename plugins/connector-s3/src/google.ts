import { TroveError } from '@trove/core';

import { credentialsOf, type S3Access } from './access.js';
import type { S3Config } from './config.js';

/**
 * Google Cloud Storage, which speaks S3 to keys of its own kind. What the AWS tools would use is for others, and is not
 * sent there. Throws `credential_error`.
 */
export function googleAccessOf(config: S3Config): S3Access {
  const { access_key_id: id, secret_access_key: secret, anonymous } = config;
  const region = config.region ?? 'auto';
  const endpoint = config.endpoint?.replace(/\/+$/, '') ?? 'https://storage.googleapis.com';
  const credentials = anonymous ? null : credentialsOf(id, secret);
  if (!anonymous && credentials === null) {
    throw new TroveError('credential_error', 'There is no HMAC key for the bucket.', {
      suggestions: [
        'Make one in the settings of Cloud Storage, under Interoperability, and set `access_key_id` and `secret_access_key` (as env:NAME), or `anonymous = true` for a bucket that is open to everybody.',
      ],
    });
  }
  return { credentials, region, endpoint };
}
