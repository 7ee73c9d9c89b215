import type { GenerationSpec, MetadataStore, TransformationCache } from '@trove/core/store';
import { pluginContext } from '@trove/testkit';

import plugins from '../src/index.js';

const [metadataStorePlugin, transformationCachePlugin] = plugins;

export interface Backend {
  readonly backend: string;
  readonly config: { readonly path?: string; readonly dsn?: string };
}

export async function openStore(
  backend: Backend,
  namespace = 'default',
  generation: GenerationSpec = { embedding: 'lexical/1', dimension: 8 },
): Promise<MetadataStore> {
  return metadataStorePlugin.create({
    ...pluginContext(backend),
    backend: backend.backend,
    namespace,
    generation,
  });
}

export async function openCache(backend: Backend): Promise<TransformationCache> {
  return transformationCachePlugin.create({
    ...pluginContext(backend),
    backend: backend.backend,
  });
}

/** Creates the tables of both plugins for copying. Creating them for every case takes longer than most cases. */
export async function prepare(backend: Backend): Promise<void> {
  for (const opened of [await openStore(backend), await openCache(backend)]) await opened.close();
}

/** Records everything it opens, so that all of it can be closed. */
export class Opened<T extends { close(): Promise<void> }> {
  readonly #opened: T[] = [];

  async add(opening: Promise<T>): Promise<T> {
    const opened = await opening;
    this.#opened.push(opened);
    return opened;
  }

  async close(): Promise<void> {
    await Promise.all(this.#opened.map((each) => each.close()));
  }
}
