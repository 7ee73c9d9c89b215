import type { InjectionToken } from 'tsyringe';

import type { ArtifactCache, TransformationCache } from '../contracts/cache.js';
import type { Embedder } from '../contracts/embedder.js';
import type { MetadataStore } from '../contracts/metadata-store.js';
import type { Collection, VectorIndex } from '../contracts/vector-index.js';
import type { Logger } from '../logger.js';

/** Makes a token that knows the type of what it stands for; `name` shows up in errors about it. */
export function token<T>(name: string): InjectionToken<T> {
  return Symbol(name);
}

/** Milliseconds since 1970. */
export type Clock = () => number;

/** What time it is; one per engine, the system's unless the embedder passes another. */
export const ClockToken = token<Clock>('core.clock');

/** Where the engine writes what happened; one per engine, silent unless the embedder passes another. */
export const LoggerToken = token<Logger>('core.logger');

/** Connectors, objects, jobs and tasks of the engine's namespace; one per engine, guarded. */
export const MetadataStoreToken = token<MetadataStore>('core.metadataStore');

/** Results of expensive transformations; one per engine, null when it is switched off. */
export const TransformationCacheToken = token<TransformationCache | null>(
  'core.transformationCache',
);

/** Derived blobs of objects; one per engine. */
export const ArtifactCacheToken = token<ArtifactCache>('core.artifactCache');

/** The database of collections; one per engine, guarded. */
export const VectorIndexToken = token<VectorIndex>('core.vectorIndex');

/** The collection that the engine's namespace is indexed in; opened once at start. */
export const CollectionToken = token<Collection>('core.collection');

/** What turns texts and questions into vectors; one per engine, guarded. */
export const EmbedderToken = token<Embedder>('core.embedder');
