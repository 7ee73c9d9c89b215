import { isTroveError, type ByteRange, type Connector, type Content } from '@trove/core';
import {
  createObjectConnector,
  rangeContentOf,
  rangeHeader,
  type ObjectQuery,
  type ObjectStoreClient,
  type StoredObject,
} from '@trove/connector-kit/storage';

import {
  isFolderMarker,
  normalizeEtag,
  sizeOf,
  skipOf,
  timeOf,
  type BlobPage,
} from './blob-page.js';
import { BlobContainer, type AzureContext } from './container.js';

/** Creates a source of the blobs in a container or in one of its folders. */
export function createAzureConnector(context: AzureContext): Connector {
  const container = new BlobContainer(context);
  const { name: key, container: name } = container.location;
  return createObjectConnector(new ContainerBlobs(container), {
    key,
    ignore: context.config.ignore,
    name: `The container "${name}"`,
  });
}

class ContainerBlobs implements ObjectStoreClient {
  readonly #container: BlobContainer;

  constructor(container: BlobContainer) {
    this.#container = container;
  }

  listPages(query: ObjectQuery, signal: AbortSignal): AsyncIterable<BlobPage> {
    return this.#container.listPages(query, signal);
  }

  /** The service may return empty pages before one with blobs. */
  async hasObjects(prefix: string, signal: AbortSignal): Promise<boolean> {
    for await (const { objects } of this.#container.listPages({ prefix, pageSize: 1 }, signal))
      if (objects.length > 0) return true;
    return false;
  }

  async find(key: string, signal: AbortSignal): Promise<StoredObject | null> {
    try {
      const { headers } = await this.#container.request({ method: 'HEAD', name: key, signal });
      if (headers.get('x-ms-resource-type') === 'directory') return null;
      const size = sizeOf(headers.get('content-length'));
      return {
        key,
        size,
        modifiedAt: timeOf(headers.get('last-modified')),
        etag: normalizeEtag(headers.get('etag')),
        isFolder: isFolderMarker(key, size),
        skip: skipOf(headers.get('x-ms-access-tier') ?? ''),
      };
    } catch (error) {
      if (isTroveError(error) && error.code === 'not_found') return null;
      throw error;
    }
  }

  async read(name: string, range: ByteRange | undefined, signal: AbortSignal): Promise<Content> {
    if (range !== undefined) {
      const { start, end } = range;
      if (end !== undefined && end <= start) return { bytes: new Uint8Array(), start };
      const headers = { 'x-ms-range': rangeHeader(range) };
      const request = { method: 'GET', name, headers, signal } as const;
      const part = await rangeContentOf(await this.#container.request(request), start);
      if (part !== null) return part;
    }
    const { headers, body } = await this.#container.request({ method: 'GET', name, signal });
    return { bytes: body ?? new Uint8Array(), mediaType: headers.get('content-type') };
  }
}
