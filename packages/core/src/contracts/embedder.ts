import type { Infer, JsonSchema } from '../schema.js';
import type { PluginBase, PluginContext } from './plugin.js';

export interface EmbedOptions {
  /** Texts that are stored, or a question that is asked of them. */
  readonly purpose: 'document' | 'query';
  /** What `analyze` makes of each document, from a caller that has it already: for embedders that ask for it. */
  readonly terms?: readonly (readonly string[])[];
  readonly signal: AbortSignal;
}

/** Turns texts into vectors. */
export interface Embedder {
  /** Names the model and its version; vectors of different models are never compared. */
  readonly model: string;
  readonly dimension: number;
  /** `lexical` vectors see spelling, `semantic` ones meaning: search weighs them accordingly. */
  readonly nature: 'lexical' | 'semantic';
  /**
   * Unit vectors, one per text, in order. Throws `embedding_auth_failed`, `embedding_quota_exceeded` or
   * `config_invalid` when more calls are useless, a retryable error when they are not; any other error with a code says
   * that a text of the batch is bad, which then has no vector. A plain error says nothing: it is tried again, and then
   * fails the objects of the texts that it comes with.
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]>;
  close?(): Promise<void>;
}

/** An embedder plugin; its key is the provider name. */
export interface EmbedderPlugin<S extends JsonSchema = JsonSchema> extends PluginBase<
  'embedder',
  S
> {
  readonly provider: string;
  /**
   * For an embedder that computes instead of waiting: the module (`import.meta.url` of the one that
   * default-exports the plugin) that worker threads import, so that it never blocks the event loop.
   */
  readonly workerModule?: string;
  create(context: PluginContext<Infer<S>>): Embedder | Promise<Embedder>;
}
