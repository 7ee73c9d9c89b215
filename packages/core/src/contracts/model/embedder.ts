import type { Infer, JsonSchema } from '../../schema.js';
import type { PluginBase, PluginContext } from '../plugin.js';

export interface EmbedOptions {
  /** Whether the texts are documents to store or a query against them. */
  readonly purpose: 'document' | 'query';
  /** The result of `analyze` for each document, when the caller already has it, for embedders that use it. */
  readonly terms?: readonly (readonly string[])[];
  /** What the embedder has learned from texts like these; vectors with and without it, or with another one, differ. */
  readonly trainedState?: TrainedState;
  readonly signal: AbortSignal;
}

/** What an embedder has learned. Part of what a vector was made by, like the model. */
export interface TrainedState {
  /** Tells it from any other; 1 to 64 characters of `a-z0-9`. */
  readonly id: string;
  /** What `fit` resolved to. Threads may share its memory. */
  readonly state: Uint8Array;
}

export interface TrainOptions {
  readonly signal: AbortSignal;
}

/** Turns texts into vectors. */
export interface Embedder {
  /** Identifies the model and its version; vectors of different models are never compared. */
  readonly model: string;
  readonly dimension: number;
  /** `lexical` vectors reflect spelling, `semantic` ones meaning; search weights them accordingly. */
  readonly nature: 'lexical' | 'semantic';
  /**
   * Unit vectors, one per text, in order. Throws `embedding_auth_failed`, `embedding_quota_exceeded` or
   * `config_invalid` when further calls are pointless, and a retryable error when a retry may succeed. Any other error
   * with a code means that a text of the batch is bad; that text is left without a vector. An error without a code is
   * retried, then fails the objects whose texts are in the batch.
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]>;
  /**
   * Learns from a sample of the texts to be embedded: 256 to 2,000 of them, within a minute. Resolves to what `embed` then
   * gets as `fit`, a few megabytes at most; the same texts give the same bytes. Of embedders with a `workerModule` only: it
   * is called in a worker thread. Without it, an embedder learns nothing.
   */
  train?(texts: readonly string[], options: TrainOptions): Promise<Uint8Array>;
  close?(): Promise<void>;
}

/** An embedder plugin; its keys are provider names. */
export interface EmbedderPlugin<S extends JsonSchema = JsonSchema> extends PluginBase<
  'embedder',
  S
> {
  /**
   * For embedders that compute locally instead of waiting: the module (`import.meta.url` of the one that
   * default-exports the plugin) to import in worker threads, so that embedding never blocks the event loop.
   */
  readonly workerModule?: string;
  create(context: PluginContext<Infer<S>>): Embedder | Promise<Embedder>;
}
