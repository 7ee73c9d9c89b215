import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TroveError } from '@trove/core';

import { bucketLocationOf } from './bucket-location.js';
import { Bucket } from './bucket.js';
import { listPages } from './listing.js';

/** The largest object of one request at Amazon. */
const maxObjectBytes = 5 * 1024 ** 3;

/** A folder of a bucket, for an application's own files. */
export interface BucketFolder {
  /** Yields the names of all objects, relative to the folder. */
  list(signal: AbortSignal): AsyncGenerator<string, void, undefined>;
  /** Stores a file as an object. Throws `payload_too_large` above 5 GiB. */
  put(name: string, file: string, signal: AbortSignal): Promise<void>;
  /** Writes an object to a file. */
  get(name: string, file: string, signal: AbortSignal): Promise<void>;
}

/**
 * Opens a folder of a bucket, `s3://bucket/folder` or `gs://bucket/folder`, with the credentials of the environment, a
 * profile or a role, as for the AWS tools.
 */
export function openFolder(uri: string): BucketFolder {
  const location = bucketLocationOf(uri);
  const { key } = location;
  const prefix = key === '' ? '' : `${key}/`;
  const bucket = new Bucket(location, {
    config: { anonymous: false, ignore: [] },
    credentials: {
      login: '',
      get: async () => undefined,
      refresh: async (_name, renew) => renew(''),
    },
    http: fetch,
  });
  return {
    async *list(signal) {
      for await (const { objects } of listPages(bucket, { prefix }, signal))
        for (const object of objects) yield object.key.slice(prefix.length);
    },
    async put(name, file, signal) {
      const { size } = await stat(file);
      if (size > maxObjectBytes)
        throw new TroveError(
          'payload_too_large',
          `${name} is too large for one object of a bucket`,
        );
      const body = () => Readable.toWeb(createReadStream(file));
      const headers = { 'content-length': String(size) };
      const request = { method: 'PUT', key: prefix + name, headers, signal } as const;
      const response = await bucket.request(size === 0 ? request : { ...request, body });
      await response.body?.cancel();
    },
    async get(name, file, signal) {
      const response = await bucket.request({ method: 'GET', key: prefix + name, signal });
      const target = createWriteStream(file, { mode: 0o600 });
      await pipeline(response.body === null ? Readable.from([]) : response.body, target);
    },
  };
}
