import { defineMetadataStore } from '@trove/core';
import type { MetadataStore, MetadataStorePlugin } from '@trove/core';

import { emptyMetadata } from './metadata/data.js';
import type { Metadata } from './metadata/data.js';
import { openMetadata } from './metadata/open.js';

/** Metadata in memory: every store that it opens sees the same data, as processes on one database would. */
export class MemoryMetadata {
  readonly #namespaces = new Map<string, Metadata>();

  open(namespace = 'default'): MetadataStore {
    const data = this.#namespaces.get(namespace) ?? emptyMetadata();
    this.#namespaces.set(namespace, data);
    return openMetadata(data);
  }
}

const configSchema = { type: 'object', properties: {}, additionalProperties: false } as const;

/** A metadata store plugin whose data lives as long as the plugin does: engines that share it share the data. */
export function memoryMetadataStore(): MetadataStorePlugin<typeof configSchema> {
  const metadata = new MemoryMetadata();
  return defineMetadataStore({
    backends: ['memory'],
    configSchema,
    create: ({ namespace }) => metadata.open(namespace),
  });
}
