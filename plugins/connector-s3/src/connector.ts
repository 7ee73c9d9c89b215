import {
  isTroveError,
  type ByteRange,
  type Connector,
  type ConnectorContext,
  type Content,
} from '@trove/core';
import {
  createObjectConnector,
  rangeContentOf,
  rangeHeader,
  type ObjectQuery,
  type ObjectStoreClient,
  type StoredObject,
  type StoredObjectPage,
} from '@trove/connector-kit/storage';

import { Bucket } from './bucket.js';
import { bucketLocationOf } from './bucket-location.js';
import type { S3Config } from './config.js';
import { storedObjectOf } from './entries.js';
import { fetchPage, listPages } from './listing.js';
import { sizeOf, timeOf } from './object-page.js';

/** Creates a source of the objects in a bucket or in one of its folders. */
export function createS3Connector(context: ConnectorContext<S3Config>): Connector {
  const location = bucketLocationOf(context.target, context.config);
  const bucket = new Bucket(location, context);
  return createObjectConnector(new BucketObjects(bucket), {
    key: location.key,
    ignore: context.config.ignore,
    name: `The bucket "${bucket.name}"`,
  });
}

class BucketObjects implements ObjectStoreClient {
  readonly #bucket: Bucket;

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  async *listPages(
    query: ObjectQuery,
    signal: AbortSignal,
  ): AsyncGenerator<StoredObjectPage, void, undefined> {
    for await (const { objects, prefixes } of listPages(this.#bucket, query, signal))
      yield { objects: objects.map(storedObjectOf), prefixes };
  }

  async hasObjects(prefix: string, signal: AbortSignal): Promise<boolean> {
    const { objects } = await fetchPage(this.#bucket, { prefix, pageSize: 1 }, null, signal);
    return objects.length > 0;
  }

  async find(key: string, signal: AbortSignal): Promise<StoredObject | null> {
    try {
      const { headers } = await this.#bucket.request({ method: 'HEAD', key, signal });
      return storedObjectOf({
        key,
        size: sizeOf(headers.get('content-length')),
        modifiedAt: timeOf(headers.get('last-modified')),
        etag: headers.get('etag'),
        storageClass: headers.get('x-amz-storage-class') ?? '',
      });
    } catch (error) {
      if (isTroveError(error) && error.code === 'not_found') return null;
      throw error;
    }
  }

  async read(key: string, range: ByteRange | undefined, signal: AbortSignal): Promise<Content> {
    if (range !== undefined) {
      const { start, end } = range;
      if (end !== undefined && end <= start) return { bytes: new Uint8Array(), start };
      const request = {
        method: 'GET',
        key,
        headers: { range: rangeHeader(range) },
        signal,
      } as const;
      const part = await rangeContentOf(await this.#bucket.request(request), start);
      if (part !== null) return part;
    }
    const { headers, body } = await this.#bucket.request({ method: 'GET', key, signal });
    return { bytes: body ?? new Uint8Array(), mediaType: headers.get('content-type') };
  }
}
