import type { Infer, JsonSchema } from '../../schema.js';
import type { PluginBase, PluginContext } from '../plugin.js';

/** Results of expensive transformations, by a hash of their input. A loss costs time, but no data. */
export interface TransformationCache {
  /** Returns the cached values by key, each at the start of its own buffer. Reading an entry counts as use. */
  getMany(keys: readonly string[]): Promise<Map<string, Uint8Array>>;
  putMany(entries: ReadonlyMap<string, Uint8Array>): Promise<void>;
  /** Drops the least recently used entries until at most this many bytes are left. */
  prune(maxBytes: number): Promise<void>;
  /** Returns the bytes that the cache occupies in storage. Must be cheap. */
  size?(): Promise<number>;
  /**
   * Frees the space of dropped entries, unless the database does this automatically. Other calls continue meanwhile.
   */
  compact?(): Promise<void>;
  close(): Promise<void>;
}

/** Blobs derived from objects, such as converted Markdown, by key. A loss costs time, but no data. */
export interface ArtifactCache {
  /** Returns a value, or null if it is missing or incomplete. Reading an entry counts as use. */
  get(key: string): Promise<Uint8Array | null>;
  /** Stores a value. Readers see the whole value or none, even if the process dies during the call. */
  put(key: string, value: Uint8Array): Promise<void>;
  /** Drops the least recently used entries until at most this many bytes are left. */
  prune(maxBytes: number): Promise<void>;
}

/** A transformation cache plugin. Its keys are backend names (`sqlite`, `postgres`). */
export interface TransformationCachePlugin<S extends JsonSchema = JsonSchema> extends PluginBase<
  'transformation-cache',
  S
> {
  create(
    context: PluginContext<Infer<S>> & { readonly backend: string },
  ): TransformationCache | Promise<TransformationCache>;
}
