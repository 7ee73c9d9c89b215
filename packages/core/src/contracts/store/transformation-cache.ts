import type { Infer, JsonSchema } from '../../schema.js';
import type { PluginBase, PluginContext } from '../plugin.js';

/** Results of expensive transformations, keyed by a hash of their input. Losing it costs time, never data. */
export interface TransformationCache {
  /** The values found, by key, each at the start of a buffer of its own. Reading an entry counts as using it. */
  getMany(keys: readonly string[]): Promise<Map<string, Uint8Array>>;
  putMany(entries: ReadonlyMap<string, Uint8Array>): Promise<void>;
  /** Drops the least recently used entries until at most this many bytes are left. */
  prune(maxBytes: number): Promise<void>;
  /** Bytes that it takes up where it is stored; cheap. */
  size?(): Promise<number>;
  /** Gives back the space of what was dropped, if that does not happen by itself; others may use the cache meanwhile. */
  compact?(): Promise<void>;
  close(): Promise<void>;
}

/** Blobs derived from objects (converted Markdown), by key. Losing it costs time, never data. */
export interface ArtifactCache {
  /** Reading an entry counts as using it. Null: not there, or not whole. */
  get(key: string): Promise<Uint8Array | null>;
  /** Readers see all of it or nothing, also if the process dies meanwhile. */
  put(key: string, value: Uint8Array): Promise<void>;
  /** Drops the least recently used entries until at most this many bytes are left. */
  prune(maxBytes: number): Promise<void>;
}

/** A transformation cache plugin; its keys are backend names (`sqlite`, `postgres`). */
export interface TransformationCachePlugin<S extends JsonSchema = JsonSchema> extends PluginBase<
  'transformation-cache',
  S
> {
  create(
    context: PluginContext<Infer<S>> & { readonly backend: string },
  ): TransformationCache | Promise<TransformationCache>;
}
