import { parseUri, TroveError } from '@trove/core';

import type { Access } from './access.js';
import { keyOf } from './keys.js';

/** What a target names. */
export interface Place {
  readonly bucket: string;
  /** Written as `gs://`. */
  readonly isGoogles: boolean;
  /** The key of a folder, without a slash at its end, or of one object; '' for the whole bucket. */
  readonly key: string;
}

/** Throws `validation_error` when the target names no bucket. */
export function placeOf(target: string): Place {
  const { scheme, authority: bucket, path } = parseUri(target);
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{1,253}$/.test(bucket) || bucket.includes('..')) {
    throw new TroveError('validation_error', `"${bucket}" is no name of a bucket.`, {
      suggestions: [
        `Write ${scheme}://BUCKET for a whole bucket, ${scheme}://BUCKET/FOLDER for a part of it.`,
      ],
    });
  }
  return { bucket, isGoogles: scheme === 'gs', key: keyOf(path.slice(1)) ?? '' };
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
  const { protocol, host } = new URL(base);
  return host.startsWith(`${bucket}.`) ? base : `${protocol}//${bucket}.${host}`;
}
