import type { InjectionToken } from 'tsyringe';

import type { MetadataStore } from '../contracts/metadata-store.js';
import type { Collection } from '../contracts/vector-index.js';
import type { Logger } from '../logger.js';

/** Makes a token that carries the type of its value; `name` appears in resolution errors. */
export function token<T>(name: string): InjectionToken<T> {
  return Symbol(name);
}

/** The engine's log; one per engine, silent unless the embedder passes one. */
export const LoggerToken = token<Logger>('core.logger');

/** Connectors, objects, jobs and tasks of the engine's namespace; one per engine, guarded. */
export const MetadataStoreToken = token<MetadataStore>('core.metadataStore');

/** The collection that holds the engine's namespace; opened once at start. */
export const CollectionToken = token<Collection>('core.collection');
