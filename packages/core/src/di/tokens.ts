import type { InjectionToken } from 'tsyringe';

import type { MetadataStore } from '../contracts/metadata-store.js';
import type { Collection } from '../contracts/vector-index.js';
import type { Logger } from '../logger.js';

/** Makes a token that knows the type of what it stands for; `name` shows up in errors about it. */
export function token<T>(name: string): InjectionToken<T> {
  return Symbol(name);
}

/** Where the engine writes what happened; one per engine, silent unless the embedder passes another. */
export const LoggerToken = token<Logger>('core.logger');

/** Connectors, objects, jobs and tasks of the engine's namespace; one per engine, guarded. */
export const MetadataStoreToken = token<MetadataStore>('core.metadataStore');

/** The collection that the engine's namespace is indexed in; opened once at start. */
export const CollectionToken = token<Collection>('core.collection');
