import { defineMetadataStore } from '@trove/core';
import type { MetadataStore, MetadataStorePlugin } from '@trove/core';

import { emptyMetadata } from './metadata/data.js';
import type { Metadata } from './metadata/data.js';
import { openMetadata } from './metadata/open.js';

/** Metadata in memory: all stores opened on it see the same data, like processes sharing a database. */
export class MemoryMetadata {
  readonly #namespaces = new Map<string, Metadata>();

  open(namespace = 'default'): MetadataStore {
    const data = this.#namespaces.get(namespace) ?? emptyMetadata();
    this.#namespaces.set(namespace, data);
    return openMetadata(data);
  }
}

const configSchema = { type: 'object', properties: {}, additionalProperties: false } as const;

/** A metadata store plugin whose data lives as long as the plugin: engines that share the plugin share the data. */
export function memoryMetadataStore(): MetadataStorePlugin<typeof configSchema> {
  const metadata = new MemoryMetadata();
  return defineMetadataStore({
    keys: ['memory'],
    configSchema,
    create: ({ namespace }) => metadata.open(namespace),
  });
}
