import { parseUri, TroveError } from '@trove/core';
import { rootKeyOf } from '@trove/connector-kit/storage';

import type { S3Access } from './access.js';
import { bucketNamePattern, type S3Config } from './config.js';

/** The bucket and folder of a target. */
export interface BucketLocation {
  readonly bucket: string;
  /** Whether the scheme is `gs`. */
  readonly isGoogle: boolean;
  /** The key of a folder without a final slash, or of one object; '' for the whole bucket. */
  readonly key: string;
}

/** Finds the bucket and folder of a target. A configured bucket takes precedence. Throws `validation_error` without one. */
export function bucketLocationOf(
  target: string,
  { bucket: configured, prefix = '' }: Pick<S3Config, 'bucket' | 'prefix'> = {},
): BucketLocation {
  const { scheme, authority, path } = parseUri(target);
  const bucket = configured ?? authority;
  if (!new RegExp(bucketNamePattern).test(bucket)) {
    throw new TroveError('validation_error', `"${bucket}" is not a valid bucket name.`, {
      suggestions: [
        `Write ${scheme}://BUCKET for a whole bucket, ${scheme}://BUCKET/FOLDER for a part of it.`,
      ],
    });
  }
  const below = rootKeyOf(target, path.slice(1));
  const key = [prefix.replace(/\/+$/, ''), below].filter((part) => part !== '').join('/');
  return { bucket, isGoogle: scheme === 'gs', key };
}

/** Returns the address of a bucket, without a final slash. */
export function bucketUrlOf(
  bucket: string,
  { endpoint, region }: Pick<S3Access, 'endpoint' | 'region'>,
  virtualHosted?: boolean,
): string {
  const base =
    endpoint ?? `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  // A certificate for `*.s3…` covers no bucket name with a dot.
  const isInHost = virtualHosted ?? (endpoint === null && /^[a-z0-9-]+$/.test(bucket));
  if (!isInHost) return `${base}/${bucket}`;
  const { protocol, host, pathname } = new URL(base);
  if (host.startsWith(`${bucket}.`)) return base;
  return `${protocol}//${bucket}.${host}${pathname.replace(/\/+$/, '')}`;
}
