import {
  defineMetadataStore,
  type GenerationSpec,
  type MetadataStore,
  type MetadataStorePlugin,
} from '@trove/core/store';

import { generationIn, type Metadata } from './metadata/data.js';
import { openMetadata } from './metadata/open.js';

/** Metadata in memory: all stores opened on it see the same data, like processes sharing a database. */
export class MemoryMetadata {
  /** The data of the generations of each. */
  readonly #namespaces = new Map<string, Metadata[]>();

  open(namespace = 'default', edition?: GenerationSpec): MetadataStore {
    const all = this.#namespaces.get(namespace) ?? [];
    this.#namespaces.set(namespace, all);
    return openMetadata(generationIn(all, edition));
  }
}

const configSchema = { type: 'object', properties: {}, additionalProperties: false } as const;

/** A metadata store plugin whose data lives as long as the plugin: engines that share the plugin share the data. */
export function memoryMetadataStore(): MetadataStorePlugin<typeof configSchema> {
  const metadata = new MemoryMetadata();
  return defineMetadataStore({
    keys: ['memory'],
    configSchema,
    create: ({ namespace, generation: edition }) => metadata.open(namespace, edition),
  });
}
