import type { Infer, JsonSchema } from '../../schema.js';
import type { PluginBase, PluginContext } from '../plugin.js';

export interface EmbedOptions {
  /** Whether the texts are documents to store or a query against them. */
  readonly purpose: 'document' | 'query';
  /** The terms of each document as `analyze` returns them, if the caller has them, for embedders that use terms. */
  readonly terms?: readonly (readonly string[])[];
  /** The current trained state. Vectors with different trained states are not comparable. */
  readonly trainedState?: TrainedState;
  readonly signal: AbortSignal;
}

/** What an embedder has learned. Like the model, it determines the vectors. */
export interface TrainedState {
  /** A unique id: 1 to 64 characters of `a-z0-9`. */
  readonly id: string;
  /** The result of `train`. Threads may share its memory. */
  readonly state: Uint8Array;
}

export interface TrainOptions {
  readonly signal: AbortSignal;
}

/** Turns texts into vectors. */
export interface Embedder {
  /** Identifies the model and its version. Vectors of different models are never compared. */
  readonly model: string;
  readonly dimension: number;
  /** `lexical` vectors reflect spelling, `semantic` vectors meaning. Search weights them accordingly. */
  readonly nature: 'lexical' | 'semantic';
  /**
   * Returns one unit vector per text, in order. Throws `embedding_auth_failed`, `embedding_quota_exceeded` or
   * `config_invalid` if further calls are pointless, and a retryable error if a retry may succeed. Any other error with
   * a code means that a text of the batch is bad. That text gets no vector. An error without a code is retried, then
   * fails the objects of the batch.
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]>;
  /**
   * Learns from a sample of 256 to 2,000 texts within a minute. Returns the `state` that `embed` then receives as
   * `trainedState`, at most a few megabytes. Equal texts must give equal bytes. Called in a worker thread, so it
   * requires a `workerModule`. An embedder without this method learns nothing.
   */
  train?(texts: readonly string[], options: TrainOptions): Promise<Uint8Array>;
  close?(): Promise<void>;
}

/** An embedder plugin. Its keys are provider names. */
export interface EmbedderPlugin<S extends JsonSchema = JsonSchema> extends PluginBase<
  'embedder',
  S
> {
  /**
   * For embedders that compute locally: the module to import in worker threads, so embedding never blocks the event
   * loop. Pass the `import.meta.url` of the module that default-exports the plugin.
   */
  readonly workerModule?: string;
  create(context: PluginContext<Infer<S>>): Embedder | Promise<Embedder>;
}
