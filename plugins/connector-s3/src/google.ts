import { TroveError } from '@trove/core';

import { credentialsOf, type S3Access } from './access.js';
import type { S3Config } from './config.js';

/**
 * Returns the access to Google Cloud Storage, which accepts S3 requests with its own HMAC keys. Never uses keys of the AWS
 * tools, because those are for other stores. Throws `credential_error` without a key.
 */
export function googleAccessOf(config: S3Config): S3Access {
  const { access_key_id: id, secret_access_key: secret, anonymous } = config;
  const region = config.region ?? 'auto';
  const endpoint = config.endpoint?.replace(/\/+$/, '') ?? 'https://storage.googleapis.com';
  const credentials = anonymous ? null : credentialsOf(id, secret);
  if (!anonymous && credentials === null) {
    throw new TroveError('credential_error', 'There is no HMAC key for the bucket.', {
      suggestions: [
        'Create one in the settings of Cloud Storage under Interoperability, and set `access_key_id` and `secret_access_key` (as env:NAME), or `anonymous = true` for a public bucket.',
      ],
    });
  }
  return { credentials, region, endpoint };
}
