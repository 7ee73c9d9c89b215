import type { Infer, JsonSchema } from '../schema.js';
import type { PluginBase, PluginContext } from './plugin.js';

/** Results of expensive transformations, by the hash of what went in. Losing it costs time, never data. */
export interface TransformationCache {
  /** The values that are there, by key; each at the start of a buffer of its own. Reading is a use. */
  getMany(keys: readonly string[]): Promise<Map<string, Uint8Array>>;
  putMany(entries: ReadonlyMap<string, Uint8Array>): Promise<void>;
  /** Drops the entries that were used longest ago until at most this many bytes are kept. */
  prune(maxBytes: number): Promise<void>;
  close(): Promise<void>;
}

/** Derived blobs of objects (converted Markdown), by key. Losing it costs time, never data. */
export interface ArtifactCache {
  get(key: string): Promise<Uint8Array | null>;
  put(key: string, value: Uint8Array): Promise<void>;
  prune(maxBytes: number): Promise<void>;
}

/** A transformation cache plugin; its keys are backend names (`sqlite`, `postgres`). */
export interface TransformationCachePlugin<S extends JsonSchema = JsonSchema> extends PluginBase<
  'transformation-cache',
  S
> {
  readonly backends: readonly string[];
  create(
    context: PluginContext<Infer<S>> & { readonly backend: string },
  ): TransformationCache | Promise<TransformationCache>;
}
