import { parseUri, TroveError } from '@trove/core';

import type { Access } from './access.js';
import { bucketName, type Config } from './config.js';
import { keyOf } from './keys.js';

/** What a target names. */
export interface Place {
  readonly bucket: string;
  /** Written as `gs://`. */
  readonly isGoogles: boolean;
  /** The key of a folder, without a slash at its end, or of one object; '' for the whole bucket. */
  readonly key: string;
}

/**
 * What a target names; it may also be a name that people gave the bucket of the settings. Throws `validation_error` when there is
 * no bucket.
 */
export function placeOf(
  target: string,
  { bucket: meant, prefix = '' }: Pick<Config, 'bucket' | 'prefix'> = {},
): Place {
  const { scheme, authority, path } = parseUri(target);
  const bucket = meant ?? authority;
  if (!new RegExp(bucketName).test(bucket)) {
    throw new TroveError('validation_error', `"${bucket}" is no name of a bucket.`, {
      suggestions: [
        `Write ${scheme}://BUCKET for a whole bucket, ${scheme}://BUCKET/FOLDER for a part of it.`,
      ],
    });
  }
  const below = keyOf(path.slice(1)) ?? '';
  const key = [prefix.replace(/\/+$/, ''), below].filter((part) => part !== '').join('/');
  return { bucket, isGoogles: scheme === 'gs', key };
}

/** The address of a bucket, without a slash at its end. */
export function addressOf(
  bucket: string,
  { endpoint, region }: Pick<Access, 'endpoint' | 'region'>,
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
