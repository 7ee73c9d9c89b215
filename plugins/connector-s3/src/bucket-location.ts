import { parseUri, TroveError } from '@trove/core';

import type { S3Access } from './access.js';
import { bucketNamePattern, type S3Config } from './config.js';
import { keyOf } from './keys.js';

/** What a target names. */
export interface BucketLocation {
  readonly bucket: string;
  /** Written as `gs://`. */
  readonly isGoogle: boolean;
  /** The key of a folder, without a slash at its end, or of one object; '' for the whole bucket. */
  readonly key: string;
}

/**
 * What a target names; it may also be a name that people gave the bucket of the settings. Throws `validation_error` when there is
 * no bucket.
 */
export function bucketLocationOf(
  target: string,
  { bucket: meant, prefix = '' }: Pick<S3Config, 'bucket' | 'prefix'> = {},
): BucketLocation {
  const { scheme, authority, path } = parseUri(target);
  const bucket = meant ?? authority;
  if (!new RegExp(bucketNamePattern).test(bucket)) {
    throw new TroveError('validation_error', `"${bucket}" is no name of a bucket.`, {
      suggestions: [
        `Write ${scheme}://BUCKET for a whole bucket, ${scheme}://BUCKET/FOLDER for a part of it.`,
      ],
    });
  }
  const below = keyOf(path.slice(1)) ?? '';
  const key = [prefix.replace(/\/+$/, ''), below].filter((part) => part !== '').join('/');
  return { bucket, isGoogle: scheme === 'gs', key };
}

/** The address of a bucket, without a slash at its end. */
export function bucketUrlOf(
  bucket: string,
  { endpoint, region }: Pick<S3Access, 'endpoint' | 'region'>,
  virtualHosted?: boolean,
): string {
  const base =
    endpoint ?? `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  // A certificate for `*.s3…` covers no name with a dot in it.
  const isInHost = virtualHosted ?? (endpoint === null && /^[a-z0-9-]+$/.test(bucket));
  if (!isInHost) return `${base}/${bucket}`;
  const { protocol, host, pathname } = new URL(base);
  if (host.startsWith(`${bucket}.`)) return base;
  return `${protocol}//${bucket}.${host}${pathname.replace(/\/+$/, '')}`;
}
